"use strict";
// CSS paths of elements. Must give the same paths as dehusk/page/places.py.

// A hostile page may have a form with a field named "parentElement", which hides the property. So properties are read
// with the getters of the browser's prototypes.
const asked = (prototype, name) => {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name);
  return node => get.call(node);
};
const parentOf = asked(Node.prototype, "parentElement");
const firstOf = asked(Element.prototype, "firstElementChild");
const nextOf = asked(Element.prototype, "nextElementSibling");
const tagOf = asked(Element.prototype, "localName");
const lastOf = asked(Node.prototype, "lastChild");
const contentOf = asked(Node.prototype, "textContent");
const attributeOf = (element, name) => Element.prototype.getAttribute.call(element, name);
const setAttributeOf = (element, name, value) => Element.prototype.setAttribute.call(element, name, value);
const dropAttributeOf = (element, name) => Element.prototype.removeAttribute.call(element, name);
const closestTo = (element, selector) => Element.prototype.closest.call(element, selector);
const boxOf = element => Element.prototype.getBoundingClientRect.call(element);
const within = (element, selector) => [...Element.prototype.querySelectorAll.call(element, selector)];

const LOOSE = "husk-text";
const GENERATED = /\d{3}|(?=[a-z]*\d[a-z\d]*[a-z]\d|\d+[a-z]+\d)[a-z\d]{5}/i;

function childrenOf(element) {
  const found = [];
  for (let child = firstOf(element); child; child = nextOf(child)) found.push(child);
  return found;
}

// The elements on the path from the body to this one.
function wayTo(element) {
  const way = [];
  for (let one = element; one && tagOf(one) !== "html"; one = parentOf(one)) if (tagOf(one) !== LOOSE) way.unshift(one);
  return way;
}

// The path of this element alone.
const pathTo = element => wayTo(element).map(one => {
  const id = attributeOf(one, "id");
  const above = parentOf(one);
  const alike = above && tagOf(one) !== "body" ? childrenOf(above).filter(other => tagOf(other) === tagOf(one)) : [];
  const place = alike.length > 1 ? `:nth-of-type(${alike.indexOf(one) + 1})` : "";
  return CSS.escape(tagOf(one)) + (id ? `#${CSS.escape(id)}` : "") + place;
}).join(" > ");

// A selector for all elements of this kind, on any page of the site.
const kindTo = element => wayTo(element).map((one, depth) => {
  if (!depth) return CSS.escape(tagOf(one));
  const id = attributeOf(one, "id");
  const classes = new Set((attributeOf(one, "class") || "").split(/[ \t\n\r\f]+/).filter(name => name && !GENERATED.test(name)));
  return CSS.escape(tagOf(one)) + (id && !/\d/.test(id) ? `#${CSS.escape(id)}` : "") + [...classes].map(name => `.${CSS.escape(name)}`).join("");
}).join(" > ");
