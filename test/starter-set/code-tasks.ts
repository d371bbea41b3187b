import type { AnswersById } from './answers.ts'
import { withCode } from './with-code.ts'

export const codeTaskAnswers: AnswersById = {
  'code-count-vowels': {
    right: withCode(`
function countVowels(text) {
  return (text.match(/[aeiou]/gi) ?? []).length
}
console.log(countVowels('Modelport')) // 3`),
    wrong: [
      withCode('const countVowels = (text) => text.match(/[aeiou]/g).length'),
      withCode('function countVowels(text) { return text.match(/[aeiouy]/gi)?.length ?? 0 }'),
      withCode('function count_vowels(text) { return (text.match(/[aeiou]/gi) ?? []).length }'),
    ],
  },
  'code-title-case': {
    right: withCode(`
const titleCase = (text) =>
  text
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join(' ')

module.exports = { titleCase }`),
    wrong: [
      withCode(
        "function titleCase(text) { return text.split(' ').map((w) => w[0].toUpperCase() + w.slice(1)).join(' ') }",
      ),
      withCode(
        'function titleCase(text) { return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase() }',
      ),
      withCode('function titleCase(text) { return text.toUpperCase() }'),
    ],
  },
  'code-last-items': {
    right: withCode(`
function lastItems(list, count) {
  if (count === 0) return []
  return list.slice(-count)
}`),
    wrong: [
      withCode('function lastItems(list, count) { return list.slice(-count) }'),
      withCode('const lastItems = (list, count) => list.splice(list.length - count, count)'),
      withCode('function lastItems(list, count) { return list.slice(0, count) }'),
    ],
  },
  'code-merge-intervals': {
    right: withCode(`
function mergeIntervals(intervals) {
  const sorted = intervals.map(([start, end]) => [start, end]).sort((a, b) => a[0] - b[0])
  const merged = []
  for (const [start, end] of sorted) {
    const last = merged.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}`),
    wrong: [
      withCode(`
function mergeIntervals(intervals) {
  intervals.sort((a, b) => a[0] - b[0])
  const merged = [intervals[0]]
  for (const [start, end] of intervals.slice(1)) {
    const last = merged[merged.length - 1]
    if (start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}`),
      withCode(`
function mergeIntervals(intervals) {
  const sorted = [...intervals].sort((a, b) => a[0] - b[0])
  const merged = []
  for (const [start, end] of sorted) {
    const last = merged.at(-1)
    if (last && start < last[1]) last[1] = end
    else merged.push([start, end])
  }
  return merged
}`),
      withCode('function mergeIntervals(intervals) { return [...intervals].sort() }'),
    ],
  },
  'code-parse-csv': {
    right: withCode(String.raw`
function parseCsv(text) {
  const rows = []
  let row = []
  let field = ''
  let quoted = false
  let started = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (quoted) {
      if (c !== '"') field += c
      else if (text[i + 1] === '"') { field += '"'; i++ }
      else quoted = false
    } else if (c === '"') { quoted = true; started = true }
    else if (c === ',') { row.push(field); field = ''; started = true }
    else if (c === '\n' || (c === '\r' && text[i + 1] === '\n')) {
      if (c === '\r') i++
      row.push(field)
      rows.push(row)
      row = []
      field = ''
      started = false
    } else { field += c; started = true }
  }
  if (started || field !== '' || row.length > 0) { row.push(field); rows.push(row) }
  return rows
}`),
    wrong: [
      withCode(
        String.raw`const parseCsv = (text) => text.trim().split('\n').map((line) => line.split(','))`,
      ),
      withCode(String.raw`
function parseCsv(text) {
  return text.replace(/\r?\n$/, '').split(/\r?\n/).map((line) =>
    line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((f) => f.replace(/^"|"$/g, '').replace(/""/g, '"')))
}`),
      withCode(String.raw`
function parseCsv(text) {
  const rows = [[]]
  let field = ''
  let quoted = false
  for (const c of text) {
    if (c === '"') quoted = !quoted
    else if (c === ',' && !quoted) { rows.at(-1).push(field); field = '' }
    else if (c === '\n' && !quoted) { rows.at(-1).push(field); field = ''; rows.push([]) }
    else field += c
  }
  rows.at(-1).push(field)
  return rows
}`),
    ],
  },
  'code-lru-cache': {
    right: withCode(`
class LruCache {
  #capacity
  #entries = new Map()
  constructor(capacity) {
    this.#capacity = capacity
  }
  get(key) {
    if (!this.#entries.has(key)) return undefined
    const value = this.#entries.get(key)
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }
  set(key, value) {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#capacity) this.#entries.delete(this.#entries.keys().next().value)
  }
  keys() {
    return [...this.#entries.keys()]
  }
}`),
    wrong: [
      withCode(`
class LruCache {
  constructor(capacity) { this.capacity = capacity; this.map = new Map() }
  get(key) { return this.map.get(key) }
  set(key, value) {
    this.map.set(key, value)
    if (this.map.size > this.capacity) this.map.delete(this.map.keys().next().value)
  }
  keys() { return [...this.map.keys()] }
}`),
      withCode(`
class LruCache {
  constructor(capacity) { this.capacity = capacity; this.map = new Map() }
  get(key) {
    const value = this.map.get(key)
    if (value) { this.map.delete(key); this.map.set(key, value) }
    return value
  }
  set(key, value) {
    this.map.delete(key)
    this.map.set(key, value)
    if (this.map.size > this.capacity) this.map.delete([...this.map.keys()][0])
  }
  keys() { return [...this.map.keys()] }
}`),
      withCode(`
class LruCache {
  constructor(capacity) { this.capacity = capacity; this.values = {}; this.order = [] }
  touch(key) { this.order = this.order.filter((k) => k !== key); this.order.push(key) }
  get(key) { if (key in this.values) { this.touch(key); return this.values[key] } }
  set(key, value) {
    this.values[key] = value
    this.touch(key)
    if (this.order.length > this.capacity) delete this.values[this.order.shift()]
  }
  keys() { return this.order }
}`),
    ],
  },
  'code-map-limit': {
    right: withCode(`
export async function mapLimit(items, limit, transform) {
  const results = new Array(items.length)
  let next = 0
  async function work() {
    while (next < items.length) {
      const index = next++
      results[index] = await transform(items[index])
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  return results
}`),
    wrong: [
      withCode(
        'async function mapLimit(items, limit, transform) { return Promise.all(items.map(transform)) }',
      ),
      withCode(`
async function mapLimit(items, limit, transform) {
  const results = []
  for (let i = 0; i < items.length; i += limit) {
    results.push(...(await Promise.all(items.slice(i, i + limit).map(transform))))
  }
  return results
}`),
      withCode(`
async function mapLimit(items, limit, transform) {
  const results = []
  const queue = [...items]
  const work = async () => { while (queue.length > 0) results.push(await transform(queue.shift())) }
  await Promise.allSettled(Array.from({ length: limit }, work))
  return results
}`),
    ],
  },
}
