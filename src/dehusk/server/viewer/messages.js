"use strict";
// Messages that say what to do when something is missing, and a report's table of methods.

function message(...children) {
  $("message").replaceChildren(...children);
  $("message").hidden = false;
}

function nothingYet() {
  $("main").hidden = true;
  message(
    make("h2", {}, "No site yet"), make("p", {}, "Stop the service, and start it with a folder of saved pages or an archive:"),
    make("pre", { class: "command" }, "dehusk serve crawl/"), make("p", {}, "Or visit pages with the browser extension, and choose ", make("b", {}, "Save template"), "."),
    make("button", { type: "button", onclick: start }, "Reload"));
}

function failed(trouble) {
  const again = make("button", { type: "button", id: "again", onclick: start }, "Try again");
  measuring = null;
  $("toast").hidden = true;
  if (trouble.kind === "token") {
    const field = make("input", { type: "text", id: "token", autocomplete: "off", "aria-label": "Token", placeholder: "Token" });
    message(
      make("h2", {}, "The token is missing or wrong"), make("p", {}, "Open the address that ", make("code", {}, "dehusk serve"), " printed when it started. Or paste the token here:"),
      make("form", { onsubmit: event => { event.preventDefault(); source.token = field.value.trim(); start(); } }, field, make("button", { class: "first" }, "Use it")));
  } else if (trouble.kind === "gone") {
    $("main").hidden = true;  // what it shows may no longer be true
    message(make("h2", {}, "The service does not answer"), make("p", {}, "It may have been stopped. Start it again, then open the address that it prints:"), make("pre", { class: "command" }, "dehusk serve"), again);
  } else {
    message(make("h2", {}, "That did not work"), make("p", {}, trouble.message), again);
    if (!(trouble instanceof Trouble)) throw trouble;
  }
}

const TOAST = 8000;

function toast(...children) {
  $("toast").replaceChildren(...children);
  $("toast").hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => { $("toast").hidden = true; }, TOAST);
}

// A table that compares methods, if the report has one. A method that failed has only a name and a reason.
function compared(rows) {
  const cell = (row, tag) => (text, k) => make(tag, k && row.length < rows[0].length ? { colspan: rows[0].length - 1 } : {}, text);
  $("compared").hidden = !rows.length;
  $("compared-rows").replaceChildren(...rows.map((row, k) => make("tr", {}, ...row.map(cell(row, k ? "td" : "th")))));
}
