/* A small preview of the claim or of the word of the glossary that a link leads to,
   under the pointer and under the focus. Escape closes it, the pointer may rest on it,
   it stays as long as the link or the preview is pointed at; a finger opens none. The
   texts are read when the first is asked for; without this script links are links. */

import { withData } from "./lib/data-script.js";
import { element } from "./lib/dom.js";

const TEXTS = "preview-texts.js";
const WAIT = 250;
const LEAVE = 300;
/* The least room to the sides of the window. */
const MARGIN = 8;

/* Return the name of the text of a link, "" where it has none. */
function key(link) {
  const page = link.pathname.match(/\/claims\/([^/]+)\.html$/);
  if (page) {
    return page[1];
  }
  return link.hash.startsWith("#term-") ? decodeURIComponent(link.hash.slice(1)) : "";
}

class Preview {
  constructor(article) {
    this.article = article;
    this.box = null;
    this.link = null;
    this.timer = 0;
    article.addEventListener("pointerover", (event) => this.pointedAt(event));
    article.addEventListener("pointerout", (event) => this.pointedAway(event));
    article.addEventListener("focusin", (event) => this.focused(event));
    article.addEventListener("focusout", (event) => {
      if (event.target === this.link) {
        this.close();
      }
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.link) {
        this.close();
      }
    });
  }

  /* Return the link with a preview that an event is about, null where there is none. */
  linkOf(target) {
    const link = target.closest?.("a[href]");
    if (!link || !this.article.contains(link) || link.closest("#mf-go")) {
      return null;
    }
    return key(link) ? link : null;
  }

  stay() {
    window.clearTimeout(this.timer);
  }

  later(action, wait) {
    this.stay();
    this.timer = window.setTimeout(action, wait);
  }

  close() {
    this.stay();
    if (this.link) {
      this.link.removeAttribute("aria-describedby");
      this.box.hidden = true;
      this.link = null;
    }
  }

  leave() {
    this.later(() => {
      const isFocused = document.activeElement === this.link;
      if (!isFocused || !this.link?.matches(":focus-visible")) {
        this.close();
      }
    }, LEAVE);
  }

  pointedAt(event) {
    const isFinger = event.pointerType === "touch";
    const link = isFinger ? null : this.linkOf(event.target);
    if (link && link === this.link) {
      this.stay();
    } else if (link) {
      this.later(() => this.show(link), WAIT);
    }
  }

  pointedAway(event) {
    if (this.linkOf(event.target) && !this.box?.contains(event.relatedTarget)) {
      this.leave();
    }
  }

  focused(event) {
    const link = this.linkOf(event.target);
    if (link?.matches(":focus-visible")) {
      this.later(() => this.show(link), 0);
    }
  }

  show(link) {
    if (this.link === link) {
      return;
    }
    this.close();
    withData(TEXTS, (texts) => {
      const text = texts?.[key(link)];
      const isStill = document.activeElement === link || link.matches(":hover");
      if (text && isStill) {
        this.open(link, text);
      }
    });
  }

  open(link, text) {
    this.box ??= this.newBox();
    this.link = link;
    this.box.innerHTML = text;
    this.box.hidden = false;
    link.setAttribute("aria-describedby", this.box.id);
    this.place();
    this.typeset(link);
  }

  newBox() {
    const box = element("div", { id: "mf-preview" }, this.article);
    box.setAttribute("role", "tooltip");
    box.addEventListener("mouseenter", () => this.stay());
    box.addEventListener("mouseleave", () => this.leave());
    return box;
  }

  /* Under the link, or above it where there is more room; the box touches the link, so
     that the pointer can go there. */
  place() {
    const lines = [...this.link.getClientRects()];
    const first = lines[0];
    const last = lines[lines.length - 1];
    const ground = this.box.offsetParent.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const most = document.documentElement.clientWidth - width - MARGIN;
    const left = Math.max(MARGIN, Math.min(last.left, most));
    const isBelow = last.bottom + height <= window.innerHeight || last.top < height;
    const top = isBelow ? last.bottom : first.top - height;
    this.box.style.left = `${left - ground.left}px`;
    this.box.style.top = `${top - ground.top}px`;
  }

  /* A page without a formula has no MathJax: there the preview has no formula either.
   */
  async typeset(link) {
    if (window.MathJax?.typesetPromise) {
      await window.MathJax.typesetPromise([this.box]);
    } else {
      for (const part of this.box.querySelectorAll("p:has(.math)")) {
        part.remove();
      }
    }
    if (this.link === link) {
      this.place();
    }
  }
}

const article = document.querySelector(".bd-article");
if (article) {
  new Preview(article);
}
