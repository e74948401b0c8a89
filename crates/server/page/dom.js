// Making elements: what all parts of the page share.

/**
 * @typedef {Node | string | null | false | undefined} Child
 */

/**
 * An element with properties and children. `class`, `role`, `data-...` and `aria-...` are attributes, `onclick` and
 * the like are listeners, all else is set as a property.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class" || name === "role" || name === "for" || name.includes("-"))
      element.setAttribute(name, value);
    else Reflect.set(element, name, value);
  }
  element.append(...present(children));
  return element;
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function present(children) {
  return /** @type {(Node | string)[]} */ (
    children.filter((child) => child !== null && child !== undefined && child !== false)
  );
}

/**
 * Gives an element new children.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
}

/**
 * Gives an element new children and keeps those that look the same, so that they keep the focus and a press that has
 * begun. The children differ from each other in looks, and those that look the same do the same.
 * @param {Element} element
 * @param {...Child} children
 */
export function refill(element, ...children) {
  const old = [...element.childNodes];
  const next = present(children).map((child) => {
    const node = typeof child === "string" ? document.createTextNode(child) : child;
    return old.find((each) => each.isEqualNode(node)) ?? node;
  });
  for (const node of old) if (!next.includes(node)) node.remove();
  next.forEach((node, index) => {
    if (element.childNodes[index] !== node) element.insertBefore(node, element.childNodes[index] ?? null);
  });
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function draw(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * A group of radio buttons that looks like one switch.
 * @param {string} legend
 * @param {{value: string, text: string}[]} options
 * @param {string} chosen
 * @param {(value: string) => void} onchange
 * @returns {HTMLFieldSetElement}
 */
export function choice(legend, options, chosen, onchange) {
  const name = `choice-${counter++}`;
  const fields = options.map(({ value, text }) =>
    make(
      "label",
      {},
      make("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }),
      make("span", {}, text),
    ),
  );
  return make(
    "fieldset",
    { class: "choice" },
    make("legend", {}, legend),
    make("div", { class: "choices" }, ...fields),
  );
}

let counter = 0;

/**
 * @param {string} label
 * @param {{value: string, text: string, group?: string}[]} options
 * @param {string} chosen
 * @param {(value: string) => void} onchange
 * @returns {HTMLLabelElement}
 */
export function select(label, options, chosen, onchange) {
  const list = make("select", { onchange: () => onchange(list.value) });
  /** @type {Map<string, HTMLOptGroupElement>} */
  const groups = new Map();
  for (const { value, text, group } of options) {
    const option = make("option", { value, selected: value === chosen }, text);
    if (!group) {
      list.append(option);
      continue;
    }
    let parent = groups.get(group);
    if (!parent) {
      parent = make("optgroup", { label: group });
      groups.set(group, parent);
      list.append(parent);
    }
    parent.append(option);
  }
  return make("label", { class: "field" }, make("span", {}, label), list);
}
