/** Files that are cut off, garbled or of another form: each gets an error with its line, and changes nothing. */
import { expect, it } from 'vitest'
import { readAndSum } from '../../src/service/reconcile/reconcile-task.ts'
import { billForms } from './bill-files.ts'
import type { TextFile } from './bill-text.ts'
import { makeRequests, randomOf, type VendorModel } from './vendor-billing.ts'

const isFull = process.env['MODELPORT_RECONCILE_CHECK'] === '1'
const files = isFull ? 1_000 : 200

const model: VendorModel = {
  // Without a dot, so that a damage of decimals does not change it.
  name: 'gemini-3-pro',
  billed: 'gemini 3 pro',
  prices: { input: 1, cacheRead: 0.1, write5m: 1.25, write1h: 2, output: 5 },
}
const plan = {
  requests: 60,
  timeZone: 'UTC',
  models: [model],
  changesPrice: false,
  foreignShare: 0,
  tierShares: {},
}

type Random = () => number
type Damage = (bytes: Uint8Array, random: Random) => Uint8Array

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const place = (length: number, random: Random) => Math.floor(random() * length)

/** Each makes a file of which at least one part cannot be read. */
const damages: Record<string, Damage> = {
  empty: () => new Uint8Array(),
  blank: () => encode(' \r\n\t\n'),
  random: (_bytes, random) => Uint8Array.from({ length: 400 }, () => 128 + place(128, random)),
  zeros: (bytes, random) => {
    const changed = bytes.slice()
    changed.fill(0, place(bytes.length - 9, random))
    return changed
  },
  'not UTF-8': (bytes, random) => {
    const changed = bytes.slice()
    changed[place(bytes.length, random)] = 0xff
    return changed
  },
  'cut off': (bytes, random) => {
    const isJson = bytes[0] === 0x7b
    // A table that ends after a whole row is a shorter table.
    const end = isJson ? bytes.length - 2 - place(40, random) : cutInRow(bytes, random)
    return bytes.slice(0, end)
  },
  'another header': (bytes) => encode(decode(bytes).replace(/^\uFEFF?[^\n]*\n/, 'a,b,c\n')),
  // JSON lines without the first one are a shorter file.
  'no header': (bytes) =>
    bytes[0] === 0x7b ? bytes : encode(decode(bytes).replace(/^[^\n]*\n/, '')),
  'open quote': (bytes) => encode(`${decode(bytes).trimEnd()}\n"open,1,2\n`),
  page: () => encode('<!doctype html><html><body>Sign in</body></html>'),
  'words for numbers': (bytes) => encode(decode(bytes).replaceAll(/\b\d+\.\d+\b/g, 'NaN')),
  'decimal commas': (bytes) =>
    encode(decode(bytes).replaceAll(/(\d+)\.(\d+)(?=[";,}\n])/g, '"$1,$2"')),
  'huge numbers': (bytes) => encode(decode(bytes).replaceAll(/\b\d{3,}\b/g, '9e99')),
  'negative tokens': (bytes) => encode(decode(bytes).replaceAll(/([,;:"] ?"?)(\d{3,})/g, '$1-$2')),
}

function cutInRow(bytes: Uint8Array, random: Random): number {
  const text = decode(bytes)
  const rows = [...text.matchAll(/\n/g)].map(({ index }) => index)
  const start = rows[place(rows.length - 1, random)] ?? 1
  return encode(text.slice(0, start + 4)).length
}

const names = Object.keys(damages)

it(`gives each of ${files} damaged files an error with a line and a reason`, () => {
  const silent: string[] = []
  const vague: string[] = []
  let made = 0
  for (let nth = 0; made < files; nth += 1) {
    const random = randomOf(nth + 1)
    const form = billForms[nth % billForms.length]
    const name = names[Math.floor(nth / billForms.length) % names.length] ?? ''
    const damage = damages[name]
    if (form === undefined || damage === undefined) throw new Error('no such form')
    const { hasWrites, hasHourlyWrites } = form
    const requests = makeRequests({ ...plan, seed: nth, hasWrites, hasHourlyWrites })
    const all = form.write(requests, 'UTC')
    const file = all[nth % all.length]
    const bytes = file && damage(encode(file.text), random)
    if (!bytes || isSame(bytes, file)) continue
    made += 1
    const before = bytes.slice()
    const { problems } = readAndSum([{ name: 'bill', bytes }], 'UTC')
    expect(bytes).toEqual(before)
    if (problems.length === 0) silent.push(`${form.name}: ${name} (${nth})`)
    for (const { line, reason } of problems) {
      if (line < 1 || reason.length < 15 || !reason.endsWith('.')) vague.push(reason)
    }
  }
  expect({ silent, vague }).toEqual({ silent: [], vague: [] })
})

/** A damage that finds nothing to change in a form is none. */
function isSame(bytes: Uint8Array, { text }: TextFile): boolean {
  return Buffer.from(bytes).equals(Buffer.from(text))
}
