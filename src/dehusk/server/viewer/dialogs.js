"use strict";
// The dialogs: corrections, export and help.

const KEYS = [
  ["1 – 8", "original, tinted, content, template, side by side, table, chunks, changes"],
  ["j k", "next page, previous page"], ["/", "search pages"], ["c", "go to the content"],
  ["n p", "next part of the page, previous part; in other views the next column, chunk or version"], ["Enter", "correct the highlighted part"],
  ["+ −", "larger part, smaller part"], ["f", "correct the part: keep it if it goes, remove it if it stays"],
  ["e", "corrections"], ["d", "dark or light"], ["Esc", "deselect the part"], ["?", "this help"],
];
const FORMS = [
  ["template", "The template", "for dehusk clean -t and dehusk table -t on other pages of the site, and for programs that use dehusk"],
  ["css", "A style sheet (CSS)", "hides the template in a browser, in Stylus or a user style sheet"],
  ["wallabag", "A site config for wallabag", "and other readers with configs of Full-Text RSS: what is content, what is stripped"],
];

function opened(id, title, ...children) {
  const dialog = document.getElementById(id);
  dialog.replaceChildren(
    make("div", { class: "dialog-head" }, make("h2", { id: `${id}-title` }, title), make("button", { type: "button", onclick: () => dialog.close() }, "Close")), ...children);
  if (!dialog.open) dialog.showModal();
  return dialog;
}

// The corrections, by the text that they keep or remove.
function editsDialog(list, source, undo) {
  const where = edit => (edit.scope === "page" ? `on ${edit.page}` : edit.scope === "family" ? `in family ${edit.family ?? "?"}` : "on every page");
  const action = edit => make("b", { class: edit.keep ? "kernel" : "husk" }, edit.keep ? "Keep " : edit.column ? "Leave out " : "Remove ");
  const what = edit => {
    if (edit.column && edit.name) return [make("b", {}, "Rename "), `the column ${edit.column} to ${edit.name}`];
    if (edit.column) return [action(edit), `the column ${edit.column}`];
    return [action(edit), edit.text ? make("span", { dir: "auto" }, shortened(edit.text, 120)) : make("code", {}, edit.path.split(" > ").at(-1))];
  };
  opened("edits", "Corrections",
    make("p", { class: "soft" }, list.length ? "They override what was learned." : "None yet. Click a part of a page to correct it."),
    ...list.map(edit => make("div", { class: "edit" },
      make("div", {}, ...what(edit),
        make("p", { class: "soft", title: edit.column ? "" : edit.path }, [edit.column ? "in tables" : where(edit), edit.by, (edit.at || "").slice(0, 10), edit.why].filter(Boolean).join(" · ")),
        source.editable ? null : make("pre", { class: "command" }, source.undoCommand(edit.id))),
      source.editable ? make("button", { type: "button", "data-undo": edit.id, onclick: () => undo(edit.id) }, "Undo") : null)));
}

// A report has commands instead of buttons: it has not the whole template.
function exportDialog(source, site, failed) {
  const save = async (form, status) => {
    try {
      const { name, text } = await source.exported(site, form);
      const link = make("a", { href: URL.createObjectURL(new Blob([text])), download: name });
      link.click();
      URL.revokeObjectURL(link.href);
      status.textContent = `Saved as ${name}.`;
    } catch (trouble) {
      document.getElementById("export").close();
      failed(trouble);
    }
  };
  const status = make("p", { class: "soft", role: "status", id: "exported" });
  opened("export", "Export",
    ...FORMS.map(([form, name, use]) => make("div", { class: "edit" },
      make("div", {}, make("b", {}, name), make("p", { class: "soft" }, use), source.editable ? null : make("pre", { class: "command" }, source.exportCommand(form))),
      source.editable ? make("button", { type: "button", "data-export": form, onclick: () => save(form, status) }, "Save file") : null)),
    status);
}

function helpDialog() {
  opened("help", "Help",
    make("p", {}, "Red is template: what the pages of the site share, such as menus, headers and footers. It goes. Green is content: what only this page says. It stays. Point at a part of the page to see what it is and why. Click it to correct it, and choose a smaller or larger part if necessary."),
    make("p", { class: "soft" }, "Pages with the same layout are a family; each family has its own template. The address of this page always leads back to what you see."),
    make("dl", {}, ...KEYS.flatMap(([keys, what]) => [make("dt", {}, ...keys.split(" ").flatMap(key => (key === "–" ? [" – "] : [make("kbd", {}, key), " "]))), make("dd", {}, what)])));
}
