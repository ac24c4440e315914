/* Tables that lie beside the scripts. They are scripts themselves, which hang their
   data on their own element, since a page that is opened from a folder may not fetch a
   file. */

const ROOT = document.documentElement.dataset.content_root || "";

/* Return the data of a table that the page has read, null where it has not. */
export function dataOf(file) {
  const script = document.querySelector(`script[src*="_static/${file}"]`);
  return script?.mfData ?? null;
}

/* Read a table where it is not there yet, then call a function with its data. */
export function withData(file, then) {
  const data = dataOf(file);
  if (data) {
    then(data);
    return;
  }
  const script = document.createElement("script");
  script.addEventListener("load", () => then(script.mfData ?? null));
  script.src = `${ROOT}_static/${file}`;
  document.head.append(script);
}

/* Return the address of a page of the book. */
export function addressOf(page) {
  return `${ROOT}${page}.html`;
}
