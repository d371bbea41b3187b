import { expect, test } from 'vitest'
import {
  sampleDocument,
  samplePdf,
  samplePng,
  sampleWorkbook,
} from '../../../../test/sample-files.ts'
import { zipOf } from '../../../../test/zip-archive.ts'
import type { Blob, ConversationStore } from '../../storage/conversation-store.ts'
import { partOf } from '../conversation-turns.ts'
import { attach } from './attach.ts'

async function attached(name: string, bytes: Uint8Array) {
  const blobs = new Map<string, Blob>()
  const known: Pick<ConversationStore, 'blob' | 'saveBlob'> = {
    blob: async (sha256) => blobs.get(sha256) ?? null,
    saveBlob: async (blob) => void blobs.set(blob.sha256, blob),
  }
  // Only contents are read and written here.
  const store = known as ConversationStore
  const attachment = await attach({ name, bytes }, { store, now: () => 1 })
  return { attachment, part: await partOf(attachment, store) }
}

test('an image is sent as it is', async () => {
  const png = samplePng(20, 10)
  const { attachment, part } = await attached('red.png', png)
  expect(attachment).toMatchObject({ kind: 'image', sentAs: 'file', hasText: false })
  const url = `data:image/png;base64,${png.toString('base64')}`
  expect(part).toEqual({ type: 'image_url', image_url: { url } })
})

test('a PDF is sent as its text, and a scan as its pages', async () => {
  const { attachment, part } = await attached('a.pdf', samplePdf(['Hello. '.repeat(40), 'Two']))
  expect(attachment).toMatchObject({ kind: 'pdf', pages: 2, hasText: true, sentAs: 'file' })
  expect(part).toMatchObject({ type: 'file', file: { filename: 'a.pdf' } })
  const dense = await attached('b.pdf', samplePdf(['Hello. '.repeat(40)]))
  expect(dense.attachment).toMatchObject({ pages: 1, sentAs: 'text' })
  expect(dense.part['text']).toMatch(/^File b\.pdf:\n\nHello\. Hello\./)
  const scan = await attached('c.pdf', samplePdf(['']))
  expect(scan.attachment).toMatchObject({ pages: 1, hasText: false, sentAs: 'file' })
  // Its Japanese text cannot be read here.
  const mixed = await attached('d.pdf', samplePdf(['Hello. '.repeat(40)], '請求書の合計'))
  expect(mixed.attachment).toMatchObject({ hasText: true, sentAs: 'file' })
})

test('a Word document is sent as HTML, and an Excel workbook as CSV', async () => {
  const document = await attached('report.docx', sampleDocument())
  expect(document.attachment).toMatchObject({ kind: 'text', hasText: true, sentAs: 'text' })
  expect(document.part['text']).toBe(
    [
      'File report.docx:\n\n<h1>Quarterly report</h1>\n<p>Revenue rose.</p>\n',
      '<table><tr><td><p>Name</p></td><td><p>Sum</p></td></tr>\n',
      '<tr><td><p>Pens</p></td><td><p>12</p></td></tr>\n</table>',
    ].join(''),
  )
  const rows = [
    ['Item', 'Price'],
    ['Pens, blue', 1.5],
    ['one\n\n\ntwo', 2],
  ]
  const { part } = await attached('costs.xlsx', sampleWorkbook(rows))
  expect(part['text']).toBe(
    'File costs.xlsx:\n\nSheet Costs:\nItem,Price\n"Pens, blue",1.5\n"one\n\n\ntwo",2',
  )
  const formatted = await attached('far.xlsx', sampleWorkbook(rows, 1_048_576))
  expect(String(formatted.part['text']).trim()).toBe(
    'File far.xlsx:\n\nSheet Costs:\nItem,Price\n"Pens, blue",1.5\n"one\n\n\ntwo",2',
  )
})

test('a Word document with a numbered part is read, and a text may name the beginning of a PDF', async () => {
  const { part } = await attached('web.docx', sampleDocument({ part: 'document2' }))
  expect(part['text']).toContain('Quarterly report')
  const code = await attached('sniff.py', Buffer.from("# Sniffs\nif data.startswith('%PDF-'):\n"))
  expect(code.attachment).toMatchObject({ kind: 'text', sentAs: 'text' })
})

test.for([
  ['says less than it unpacks to', Buffer.alloc(5_000), 9],
  ['unpacks to too much', Buffer.from('a'), 200_000_000],
] as const)('an archive that %s is refused', async ([, bytes, claimedBytes]) => {
  const archive = zipOf([{ name: 'word/document.xml', bytes, claimedBytes }])
  await expect(attached('a.docx', archive)).rejects.toThrow('a.docx is damaged or protected.')
})

test.for([
  ['UTF-8', Buffer.from('größe;2\n')],
  ['UTF-16 with its mark', Buffer.from('\ufeffgröße;2\n', 'utf16le')],
  ['the Windows code page', Buffer.from('größe;2\n', 'latin1')],
] as const)('a table is read in %s', async ([, bytes]) => {
  const { attachment, part } = await attached('list.csv', bytes)
  expect(attachment).toMatchObject({ kind: 'text', sentAs: 'text' })
  expect(part['text']).toBe('File list.csv:\n\ngröße;2\n')
})

test.for([
  ['an empty file', 'a.txt', Buffer.alloc(0), 'a.txt is empty.'],
  ['a program', 'a.exe', Buffer.from('MZ\0\x01'), 'Modelport cannot read a.exe'],
  [
    'another archive',
    'a.zip',
    zipOf([{ name: 'a', bytes: Buffer.from('b') }]),
    'Modelport cannot read a.zip',
  ],
  ['a sound', 'a.wav', Buffer.from('RIFF\0\0\0\0WAVEfmt '), 'Modelport cannot read a.wav'],
  ['a document of pictures', 'a.docx', sampleDocument({ isBlank: true }), 'a.docx has no text'],
  ['a blank text', 'a.txt', Buffer.from(' \n'), 'a.txt has no text'],
  ['a broken PDF', 'a.pdf', Buffer.from('%PDF-1.7\nnothing'), 'a.pdf is damaged or protected.'],
  ['a large file', 'a.txt', Buffer.alloc(20_971_521, 97), 'A file can have'],
] as const)('%s is refused with a sentence', async ([, name, bytes, sentence]) => {
  await expect(attached(name, bytes)).rejects.toThrow(sentence)
})
