import type { AnswersById } from './answers.ts'
import { withCode } from './with-code.ts'

export const hardCodeTaskAnswers: AnswersById = {
  'code-evaluate': {
    right: withCode(String.raw`
function evaluate(text) {
  let at = 0
  const skip = () => { while (text[at] === ' ') at++ }
  const fail = () => { throw new Error('invalid expression') }
  function sum() {
    let value = product()
    for (;;) {
      skip()
      if (text[at] === '+') { at++; value += product() }
      else if (text[at] === '-') { at++; value -= product() }
      else return value
    }
  }
  function product() {
    let value = unary()
    for (;;) {
      skip()
      if (text[at] === '*') { at++; value *= unary() }
      else if (text[at] === '/') { at++; value /= unary() }
      else return value
    }
  }
  function unary() {
    skip()
    if (text[at] === '-') { at++; return -unary() }
    if (text[at] === '(') {
      at++
      const value = sum()
      skip()
      if (text[at] !== ')') fail()
      at++
      return value
    }
    const match = /^\d+(\.\d+)?/.exec(text.slice(at))
    if (!match) fail()
    at += match[0].length
    return Number(match[0])
  }
  const value = sum()
  skip()
  if (at < text.length) fail()
  return value
}`),
    wrong: [
      withCode('const evaluate = (text) => new Function("return " + text)()'),
      withCode(String.raw`
function evaluate(text) {
  if (!/^[\d\s.+*\/()-]+$/.test(text)) throw new Error('invalid')
  return eval(text)
}`),
      withCode(String.raw`
function evaluate(text) {
  const tokens = text.match(/\d+(\.\d+)?|[-+*\/()]/g)
  if (!tokens) throw new Error('empty')
  const sum = () => { const left = product(); const op = tokens[0]
    if (op === '+' || op === '-') { tokens.shift(); const right = sum(); return op === '+' ? left + right : left - right }
    return left }
  const product = () => { const left = atom(); const op = tokens[0]
    if (op === '*' || op === '/') { tokens.shift(); const right = product(); return op === '*' ? left * right : left / right }
    return left }
  const atom = () => { const token = tokens.shift()
    if (token === '(') { const value = sum(); tokens.shift(); return value }
    if (token === '-') return -atom()
    return Number(token) }
  return sum()
}`),
    ],
  },
  'code-compare-versions': {
    right: withCode(String.raw`
function compareVersions(a, b) {
  const parse = (version) => {
    const [main] = version.split('+')
    const dash = main.indexOf('-')
    const core = dash === -1 ? main : main.slice(0, dash)
    return { core: core.split('.').map(BigInt), pre: dash === -1 ? null : main.slice(dash + 1).split('.') }
  }
  const order = (x, y) => (x < y ? -1 : x > y ? 1 : 0)
  const left = parse(a)
  const right = parse(b)
  for (let i = 0; i < 3; i++) {
    const result = order(left.core[i], right.core[i])
    if (result !== 0) return result
  }
  if (!left.pre || !right.pre) return left.pre ? -1 : right.pre ? 1 : 0
  for (let i = 0; i < Math.min(left.pre.length, right.pre.length); i++) {
    const [x, y] = [left.pre[i], right.pre[i]]
    const [xIsNumber, yIsNumber] = [x, y].map((id) => /^\d+$/.test(id))
    const result =
      xIsNumber && yIsNumber ? order(BigInt(x), BigInt(y)) : xIsNumber ? -1 : yIsNumber ? 1 : order(x, y)
    if (result !== 0) return result
  }
  return order(left.pre.length, right.pre.length)
}`),
    wrong: [
      withCode(`
function compareVersions(a, b) {
  const x = a.split('.').map(Number)
  const y = b.split('.').map(Number)
  for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return x[i] < y[i] ? -1 : 1
  return 0
}`),
      withCode(`
function compareVersions(a, b) {
  const [coreA, preA = ''] = a.split('+')[0].split('-')
  const [coreB, preB = ''] = b.split('+')[0].split('-')
  const x = coreA.split('.').map(Number)
  const y = coreB.split('.').map(Number)
  for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return Math.sign(x[i] - y[i])
  if (preA === preB) return 0
  if (preA === '') return 1
  if (preB === '') return -1
  return preA < preB ? -1 : 1
}`),
      withCode(
        'function compareVersions(a, b) { return Math.sign(a.localeCompare(b, "en", { numeric: true })) }',
      ),
    ],
  },
  'code-add-decimals': {
    right: withCode(`
function addDecimals(a, b) {
  const places = (text) => (text.split('.')[1] ?? '').length
  const scale = Math.max(places(a), places(b))
  const toInteger = (text) => {
    const [whole, fraction = ''] = text.replace('-', '').split('.')
    const value = BigInt(whole + fraction.padEnd(scale, '0'))
    return text.startsWith('-') ? -value : value
  }
  const sum = toInteger(a) + toInteger(b)
  const digits = (sum < 0n ? -sum : sum).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  return (sum < 0n ? '-' : '') + whole + (fraction === '' ? '' : '.' + fraction)
}`),
    wrong: [
      withCode('const addDecimals = (a, b) => String(Number(a) + Number(b))'),
      withCode(`
function addDecimals(a, b) {
  const [aw, af = ''] = a.split('.')
  const [bw, bf = ''] = b.split('.')
  const scale = Math.max(af.length, bf.length)
  const sum = BigInt(aw + af.padEnd(scale, '0')) + BigInt(bw + bf.padEnd(scale, '0'))
  const text = sum.toString()
  return scale === 0 ? text : text.slice(0, -scale) + '.' + text.slice(-scale)
}`),
      withCode(
        "const addDecimals = (a, b) => (parseFloat(a) + parseFloat(b)).toFixed(10).replace(/\\.?0+$/, '')",
      ),
    ],
  },
  'code-glob': {
    right: withCode(String.raw`
function matchesGlob(pattern, path) {
  const segmentMatches = (glob, text) => {
    const source = glob.replace(/[.+^$(){}|[\]\\]/g, '\\$&').replace(/\*+/g, '.*').replace(/\?/g, '.')
    return new RegExp('^' + source + '$', 's').test(text)
  }
  const matches = (globs, parts) => {
    if (globs.length === 0) return parts.length === 0
    const [glob, ...rest] = globs
    if (glob === '**') {
      return matches(rest, parts) || (parts.length > 0 && matches(globs, parts.slice(1)))
    }
    return parts.length > 0 && segmentMatches(glob, parts[0]) && matches(rest, parts.slice(1))
  }
  return matches(pattern.split('/'), path.split('/'))
}`),
    wrong: [
      withCode(String.raw`
function matchesGlob(pattern, path) {
  const source = pattern.replace(/\*\*/g, '.*').replace(/\*/g, '[^/]*').replace(/\?/g, '.')
  return new RegExp('^' + source + '$').test(path)
}`),
      withCode(String.raw`
function matchesGlob(pattern, path) {
  const source = pattern
    .replace(/[.+^$(){}|[\]\\]/g, '\\$&')
    .replace(/\*\*/g, '\u0000').replace(/\*/g, '[^/]*').replace(/\?/g, '[^/]').replace(/\u0000/g, '.*')
  return new RegExp('^' + source + '$').test(path)
}`),
      withCode("const matchesGlob = (pattern, path) => require('minimatch')(path, pattern)"),
    ],
  },
  'code-build-order': {
    right: withCode(`
function buildOrder(needs) {
  const graph = new Map()
  for (const [task, list] of Object.entries(needs)) {
    graph.set(task, new Set(list))
  }
  for (const list of Object.values(needs)) {
    for (const task of list) if (!graph.has(task)) graph.set(task, new Set())
  }
  const order = []
  while (graph.size > 0) {
    const ready = [...graph.keys()].filter((task) => graph.get(task).size === 0).sort()
    if (ready.length === 0) return null
    const [next] = ready
    order.push(next)
    graph.delete(next)
    for (const open of graph.values()) open.delete(next)
  }
  return order
}`),
    wrong: [
      withCode(`
function buildOrder(needs) {
  const order = []
  const visit = (task) => {
    if (order.includes(task)) return
    for (const need of [...(needs[task] ?? [])].sort()) visit(need)
    order.push(task)
  }
  Object.keys(needs).sort().forEach(visit)
  return order
}`),
      withCode(`
function buildOrder(needs) {
  const open = {}
  for (const task in needs) { open[task] = [...needs[task]]; for (const n of needs[task]) open[n] ??= [] }
  const order = []
  while (Object.keys(open).length > 0) {
    const ready = Object.keys(open).filter((t) => open[t].length === 0).sort()
    if (ready.length === 0) return null
    for (const task of ready) {
      order.push(task)
      delete open[task]
      for (const t in open) open[t] = open[t].filter((n) => n !== task)
    }
  }
  return order
}`),
      withCode('const buildOrder = (needs) => Object.keys(needs).sort().reverse()'),
    ],
  },
}
