import { afterEach, expect, test, vi } from 'vitest'
import { isForMessage, pastedFiles } from './given-files.ts'

afterEach(() => vi.unstubAllGlobals())

function clipboard(text: string, names: readonly string[]) {
  const files = names.map((name) => new File(['content'], name))
  return { files, getData: (type: string) => (type === 'text/plain' ? text : '') }
}

test.each([
  ['a picture', '', ['image.png']],
  ['a file with its name, as of Finder', 'Costs 1.xlsx', ['Costs 1.xlsx']],
  [
    'files with their paths, as of Nautilus',
    '/home/ada/a.txt\n/home/ada/b.txt',
    ['a.txt', 'b.txt'],
  ],
  ['a file with its address', 'file:///home/ada/Costs%201.xlsx', ['Costs 1.xlsx']],
])('%s is attached when it is pasted', (_what, text, names) => {
  expect(pastedFiles(clipboard(text, names)).map(({ name }) => name)).toEqual(names)
})

test('the picture beside copied cells is not attached, so that their text is inserted', () => {
  expect(pastedFiles(clipboard('Item\tCost\nPaper\t12', ['image.png']))).toEqual([])
})

/** An element that knows the selectors that match it. */
class FakeElement {
  readonly selectors: readonly string[]

  constructor(...selectors: readonly string[]) {
    this.selectors = selectors
  }

  matches(list: string): boolean {
    return list.split(', ').some((selector) => this.selectors.includes(selector))
  }

  closest(list: string): FakeElement | null {
    return this.matches(list) ? this : null
  }
}

function isTaken(target: FakeElement | null, shown: readonly FakeElement[] = []): boolean {
  const querySelector = (list: string) => shown.find((one) => one.matches(list)) ?? null
  vi.stubGlobal('Element', FakeElement)
  vi.stubGlobal('document', { querySelector })
  // Only what the function reads.
  return isForMessage(target as unknown as EventTarget)
}

test('the message takes what is given to its field and beside all fields', () => {
  expect(isTaken(new FakeElement('textarea', '[data-message-field]'))).toBe(true)
  expect(isTaken(new FakeElement('article'))).toBe(true)
  expect(isTaken(null)).toBe(true)
})

test('the message takes nothing from another field or while a dialog covers it', () => {
  expect(isTaken(new FakeElement('input'))).toBe(false)
  expect(isTaken(new FakeElement('textarea'))).toBe(false)
  expect(isTaken(new FakeElement('[contenteditable="true"]'))).toBe(false)
  expect(isTaken(null, [new FakeElement('[role="dialog"]')])).toBe(false)
  expect(isTaken(null, [new FakeElement('[role="alertdialog"]')])).toBe(false)
})
