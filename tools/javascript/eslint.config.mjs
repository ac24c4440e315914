/* The rules of ESLint for the scripts of the book; see tools/lint_javascript.py. */

import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: "module",
      globals: globals.browser,
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      complexity: ["error", 10],
      curly: "error",
      eqeqeq: "error",
      "max-depth": ["error", 3],
      "max-len": ["error", { code: 88 }],
      "max-lines-per-function": [
        "error",
        { max: 40, skipBlankLines: true, skipComments: true },
      ],
      "max-params": ["error", 5],
      "no-nested-ternary": "error",
      "no-restricted-syntax": [
        "error",
        {
          selector: "MemberExpression[object.name='globalThis']",
          message: "modules share by import and export",
        },
        {
          selector:
            "AssignmentExpression[left.object.name='window']:not([left.property.name='location'])",
          message: "modules share by import and export",
        },
      ],
      "no-shadow": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
];
