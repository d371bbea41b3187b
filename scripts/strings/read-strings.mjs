/** Reads the texts of the window and the main process from their source, and finds those that no translation reaches. */
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { parseSync, Visitor } from 'oxc-parser'

/** @param {string} root */
export const catalogueFile = (root) => join(root, 'src/shared/strings/en.json')

const sources = ['src/{renderer/src,main,shared}/**/*.{ts,tsx}']
const isExcluded = (/** @type {string} */ file) =>
  /\.test\.tsx?$|\.d\.ts$/.test(file) || file.endsWith('strings/strings.ts')

/** Attributes of elements and components that people read. */
const textAttributes = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-valuetext',
  'description',
  'hint',
  'intro',
  'label',
  'placeholder',
  'question',
  'title',
])
/** A name that people read begins with a capital; that of a field does not. */
function isText(/** @type {string} */ attribute, /** @type {string} */ value) {
  if (attribute === 'name') return /^\p{Lu}/u.test(value)
  return textAttributes.has(attribute) && hasWords(value)
}

/** Properties of objects that components show. */
const textProperties = new Set(['detail', 'hint', 'label', 'question', 'text', 'title'])

function isTextProperty(/** @type {string} */ property, /** @type {string} */ value) {
  return property === 'name' ? isWord(value) : textProperties.has(property) && hasWords(value)
}

/** A word or a sentence that people read, such as the head of a column; no key and no component. */
function isWord(/** @type {string} */ value) {
  return (
    /^p\d+ \p{Ll}|^\p{Lu}\p{Ll}+($|[^\p{Lu}]*\s)/u.test(value) &&
    !keyNames.has(value) &&
    !properNames.has(value)
  )
}
const keyNames = new Set(['Enter', 'Escape', 'Home', 'End', 'Tab', 'Backspace', 'Delete', 'Space'])

/** Names that are the same in each language: of programming languages, and a word of YAML. */
const properNames = new Set([
  'Diff',
  'Go',
  'Java',
  'Kotlin',
  'Markdown',
  'Python',
  'Ruby',
  'Rust',
  'Shell',
  'Swift',
  'else',
])

/** Properties and attributes whose values nobody reads, whatever they look like. */
const codeProperties = new Set(['className', 'd', 'keywords', 'menu', 'style', 'transform'])

/**
 * Whether a template puts words and values together, such as `${count} models` and `Copy ${name}`. Units of one or two
 * letters are the same in each language.
 * @param {import('oxc-parser').TemplateLiteral} template
 */
function isSentence({ quasis }) {
  const text = quasis.map(({ value }) => value.cooked ?? '').join('{}')
  if (quasis.length === 1 || /[<>=/;#[]|--|\b-|\n|^(https?|new|sudo|type)\b/.test(text))
    return false
  return /^\p{Lu}\p{Ll}+[ ,:]|\} \(?\p{Ll}{3,}(?![-:\p{Ll}])|^\p{Ll}{3,}:? \{/u.test(text)
}

/** Elements whose content is code, and the same in each language. */
const codeElements = new Set(['code', 'pre', 'kbd'])
const hasWords = (/** @type {string} */ text) =>
  /\p{L}{2}/u.test(text) && !isCode(text) && !properNames.has(text)

/** A template, or an address or name in lower case: the same in each language. */
const isCode = (/** @type {string} */ text) =>
  /^\{\{.*\}\}$|^_[a-z]+$|^[a-z]+[-.:][^\s\p{Lu}]*$/u.test(text)

/**
 * @param {string} root
 * @returns {Promise<{ catalogue: string, problems: string[] }>}  the text of en.json, and one line per problem
 */
export async function readStrings(root) {
  /** @type {Set<string>} */
  const messages = new Set()
  /** @type {string[]} */
  const problems = []
  for await (const file of glob(sources, { cwd: root })) {
    if (isExcluded(file)) continue
    const found = readSource(file, await readFile(join(root, file), 'utf8'))
    for (const message of found.messages) messages.add(message)
    problems.push(...found.problems)
  }
  const sorted = [...messages].toSorted((a, b) => (a < b ? -1 : 1))
  const entries = Object.fromEntries(sorted.map((message) => [message, message]))
  return { catalogue: `${JSON.stringify(entries, null, 2)}\n`, problems: problems.toSorted() }
}

/**
 * @param {string} file
 * @param {string} source
 */
export function readSource(file, source) {
  /** @type {string[]} */
  const messages = []
  /** @type {string[]} */
  const problems = []
  /** @type {Set<number>}  starts of texts that are reported, or messages */
  const done = new Set()
  /** @type {Found} */
  const found = {
    isWindow: file.endsWith('.tsx') || file.startsWith('src/renderer/'),
    report(node, problem) {
      if (done.has(node.start)) return
      done.add(node.start)
      problems.push(`${file}:${source.slice(0, node.start).split('\n').length}: ${problem}`)
    },
    addMessage(node) {
      done.add(node.start)
      messages.push(node.value)
    },
    sourceOf: ({ start, end }) => source.slice(start, end),
  }
  const { program } = parseSync(file, source)
  for (const visitor of [visitMessages, visitElements, visitObjects, visitWords])
    new Visitor(visitor(found)).visit(program)
  return { messages, problems }
}

/**
 * @typedef {object} Found
 * @property {boolean} isWindow whether the file belongs to the window, so that its texts are for people
 * @property {(node: { start: number }, problem: string) => void} report once for each text
 * @property {(node: import('oxc-parser').StringLiteral) => void} addMessage
 * @property {(node: { start: number, end: number }) => string} sourceOf
 */

/** @param {Found} found @returns {import('oxc-parser').VisitorObject} */
function visitMessages({ report, addMessage }) {
  return {
    CallExpression(node) {
      if (!isMessageCall(node)) return
      const [message, values] = node.arguments
      if (message?.type !== 'Literal' || typeof message.value !== 'string')
        return report(message ?? node, 'the message must be a literal text')
      addMessage(message)
      if (/\{\{[^}]*\}\}|\{%|'\{'/.test(message.value))
        return report(node, 'the message contains code')
      const problem = differenceOf(message.value, values) ?? wordingProblemOf(message.value)
      if (problem !== null) report(node, problem)
    },
  }
}

/** @param {Found} found @returns {import('oxc-parser').VisitorObject} */
function visitElements({ report }) {
  /** @type {(string | null)[]}  the elements around the node */
  const elements = []
  return {
    JSXOpeningElement(node) {
      if (!node.selfClosing)
        elements.push(node.name.type === 'JSXIdentifier' ? node.name.name : null)
    },
    JSXClosingElement() {
      elements.pop()
    },
    JSXText(node) {
      if (hasWords(node.value) && !elements.some((name) => name !== null && codeElements.has(name)))
        report(node, `“${node.value.trim()}” is not in t()`)
    },
    JSXAttribute({ name, value }) {
      if (name.type !== 'JSXIdentifier') return
      for (const text of literalsOf(value))
        if (isText(name.name, text.value))
          report(text, `${name.name}="${text.value}" is not in t()`)
    },
    JSXElement({ children }) {
      const containers = children.filter(({ type }) => type === 'JSXExpressionContainer')
      for (const text of containers.flatMap(literalsOf))
        if (hasWords(text.value)) report(text, `“${text.value}” is not in t()`)
    },
  }
}

/** @param {Found} found @returns {import('oxc-parser').VisitorObject} */
function visitObjects({ isWindow, report }) {
  if (!isWindow) return {}
  return {
    Property({ key, value }) {
      if (key.type !== 'Identifier') return
      for (const text of literalsOf(value))
        if (isTextProperty(key.name, text.value))
          report(text, `${key.name}: '${text.value}' is not in t()`)
    },
    ObjectExpression({ properties }) {
      // A table of texts: the others are messages.
      const values = properties.flatMap((each) =>
        each.type === 'Property' && keyOf(each) !== 'value' ? [each.value] : [],
      )
      const texts = values.flatMap(literalsOf)
      if (texts.length >= values.filter(isMessageCall).length) return
      const isTable = values.every((value) => isMessageCall(value) || literalsOf(value).length > 0)
      for (const text of isTable ? texts : [])
        if (hasWords(text.value)) report(text, `“${text.value}” among texts is not in t()`)
    },
    ArrayExpression({ elements: items }) {
      for (const text of items.flatMap(literalsOf))
        if (isWord(text.value)) report(text, `“${text.value}” in a list is not in t()`)
    },
  }
}

/** Words wherever they stand, except in code and errors. @param {Found} found @returns {import('oxc-parser').VisitorObject} */
function visitWords({ isWindow, report, sourceOf }) {
  if (!isWindow) return {}
  /** Above zero within what nobody reads. */
  let depth = 0
  const enter = () => void depth++
  const leave = () => void depth--
  return {
    CallExpression: ({ callee }) => void (isTest(callee) && enter()),
    'CallExpression:exit': ({ callee }) => void (isTest(callee) && leave()),
    ThrowStatement: enter,
    'ThrowStatement:exit': leave,
    BinaryExpression: enter,
    'BinaryExpression:exit': leave,
    NewExpression: enter,
    'NewExpression:exit': leave,
    JSXAttribute: ({ name }) => void (isCodeName(name) && enter()),
    'JSXAttribute:exit': ({ name }) => void (isCodeName(name) && leave()),
    Property: ({ key }) => void (isCodeName(key) && enter()),
    'Property:exit': ({ key }) => void (isCodeName(key) && leave()),
    ConditionalExpression({ consequent, alternate }) {
      if (isMessageCall(consequent) === isMessageCall(alternate)) return
      for (const text of [consequent, alternate].flatMap(literalsOf))
        if (hasWords(text.value)) report(text, `“${text.value}” is not in t()`)
    },
    TemplateLiteral(node) {
      if (depth === 0 && isSentence(node))
        report(node, `“${sourceOf(node).slice(1, -1)}” is not in t()`)
    },
    Literal(node) {
      if (depth === 0 && typeof node.value === 'string' && isWord(node.value))
        report(node, `“${node.value}” is not in t()`)
    },
  }
}

/** Whether a call looks for a value, such as `types.includes('Files')`. @param {import('oxc-parser').Node} callee */
function isTest(callee) {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false
  return ['endsWith', 'includes', 'startsWith'].includes(callee.property.name)
}

/** @param {import('oxc-parser').Node} node */
function isCodeName(node) {
  const isName = node.type === 'Identifier' || node.type === 'JSXIdentifier'
  return isName && codeProperties.has(node.name)
}

/** Whether a value is a call of t() or rich(). @param {import('oxc-parser').Node} node */
function isMessageCall(node) {
  if (node.type !== 'CallExpression') return false
  return node.callee.type === 'Identifier' && ['t', 'rich'].includes(node.callee.name)
}

/**
 * The texts that a value may be: itself, or a branch of a condition.
 * @param {import('oxc-parser').Node | null} node
 * @returns {import('oxc-parser').StringLiteral[]}
 */
function literalsOf(node) {
  if (node === null) return []
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node] : []
  if (node.type === 'JSXExpressionContainer') return literalsOf(node.expression)
  if (node.type === 'LogicalExpression') return literalsOf(node.right)
  return node.type === 'ConditionalExpression'
    ? [...literalsOf(node.consequent), ...literalsOf(node.alternate)]
    : []
}

/** Names that tell a translator nothing, such as `{value}`, `{length}` and `{costUsd2}`. */
const vagueName = /^(value|values|text|length|first|second|rest|item|name\d|[a-zA-Z]+\d)$/

/**
 * @returns null for a message that a translator can read alone: it is no piece of a longer text, and its names say what
 * they stand for
 * @param {string} message
 */
function wordingProblemOf(message) {
  if (message !== message.trim()) return 'the message begins or ends with a space'
  if (/^[,.;:)]\s/.test(message)) return 'the message begins in the middle of a sentence'
  /** @type {Set<string>} */
  const named = new Set()
  collectNames(parse(message, { ignoreTag: true }), named)
  const vague = [...named].find((name) => vagueName.test(name))
  return vague === undefined ? null : `{${vague}} does not say what it stands for`
}

/**
 * @returns null when the values of a call are those that its message names
 * @param {string} message
 * @param {import('oxc-parser').Argument | undefined} values
 */
function differenceOf(message, values) {
  /** @type {Set<string>} */
  const named = new Set()
  try {
    collectNames(parse(message, { ignoreTag: true }), named)
  } catch (error) {
    return `the message cannot be parsed: ${error instanceof Error ? error.message : error}`
  }
  const given = values?.type === 'ObjectExpression' ? values.properties.map(keyOf) : []
  const missing = [...named].filter((name) => !given.includes(name))
  const unused = given.filter((name) => !named.has(name))
  if (missing.length > 0) return `no value for ${missing.join(', ')}`
  return unused.length > 0 ? `the message does not name ${unused.join(', ')}` : null
}

/** @param {import('oxc-parser').ObjectPropertyKind} property */
function keyOf(property) {
  if (property.type !== 'Property') return '…'
  const { key } = property
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' ? String(key.value) : '…'
}

/**
 * @param {readonly import('@formatjs/icu-messageformat-parser').MessageFormatElement[]} elements
 * @param {Set<string>} names
 */
function collectNames(elements, names) {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue
    names.add(element.value)
    if ('options' in element)
      for (const { value } of Object.values(element.options)) collectNames(value, names)
  }
}
