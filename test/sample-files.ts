/** Files that a person attaches, made here. */
import { deflateSync, crc32 } from 'node:zlib'
import { zipOf } from './zip-archive.ts'

/** A PDF with one page for each text; an empty text is a page without text. */
export function samplePdf(pages: readonly string[], japanese = ''): Buffer {
  const kids = pages.map((_text, index) => `${4 + index * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, index) => {
      const lines = (text.match(/.{1,60}/g) ?? []).map((line) => `(${line}) Tj T*`)
      const other = japanese === '' ? '' : ` /F2 12 Tf <${hexOf(japanese)}> Tj`
      const drawn = `BT /F1 12 Tf 14 TL 72 720 Td ${lines.join(' ')}${other} ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R /F2 ${japaneseFont} >> >> >>`,
        `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

/** A font whose letters only a table of the reader tells. */
const japaneseFont = [
  '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UCS2-H /DescendantFonts',
  '[ << /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /DW 1000',
  '/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >> ] >>',
].join(' ')

function hexOf(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex')
}

const main = 'http://schemas.openxmlformats.org/'

/** A Word document with a heading, a list of one entry, and a table, or with nothing that is text. */
export function sampleDocument({ part = 'document', isBlank = false } = {}): Buffer {
  const paragraph = (text: string, style = '') =>
    `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`
  const body = [
    paragraph('Quarterly report', 'Heading1'),
    paragraph('Revenue rose.'),
    `<w:tbl><w:tr>${cell('Name')}${cell('Sum')}</w:tr><w:tr>${cell('Pens')}${cell('12')}</w:tr></w:tbl>`,
  ].join('')
  return packed({
    '_rels/.rels': relations('officeDocument', `word/${part}.xml`),
    [`word/${part}.xml`]: `<w:document xmlns:w="${main}wordprocessingml/2006/main"><w:body>${isBlank ? '<w:p/>' : body}</w:body></w:document>`,
  })
}

/** An Excel workbook whose only sheet has these rows, and a format down to the last one; numbers stay numbers. */
export function sampleWorkbook(
  rows: readonly (readonly (string | number)[])[],
  lastRow = rows.length,
): Buffer {
  const cell = (value: string | number, at: string) =>
    typeof value === 'number'
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
  const data = rows.map((cells, row) => {
    const filled = cells.map((value, column) =>
      cell(value, `${String.fromCharCode(65 + column)}${row + 1}`),
    )
    return `<row r="${row + 1}">${filled.join('')}</row>`
  })
  if (lastRow > rows.length) data.push(`<row r="${lastRow}"><c r="A${lastRow}" s="0"/></row>`)
  const names = `xmlns="${main}spreadsheetml/2006/main" xmlns:r="${main}officeDocument/2006/relationships"`
  const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const type = (name: string, part: string) =>
    `<Override PartName="/xl/${name}.xml" ContentType="${kind}.${part}+xml"/>`
  return packed({
    '[Content_Types].xml': `<Types xmlns="${main}package/2006/content-types">${type('workbook', 'sheet.main')}${type('worksheets/sheet1', 'worksheet')}</Types>`,
    '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
    'xl/_rels/workbook.xml.rels': relations('worksheet', 'worksheets/sheet1.xml'),
    'xl/workbook.xml': `<workbook ${names}><sheets><sheet name="Costs" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${names}><sheetData>${data.join('')}</sheetData></worksheet>`,
  })
}

function relations(kind: string, target: string): string {
  const type = `${main}officeDocument/2006/relationships/${kind}`
  return `<Relationships xmlns="${main}package/2006/relationships"><Relationship Id="rId1" Type="${type}" Target="${target}"/></Relationships>`
}

function packed(parts: Readonly<Record<string, string>>): Buffer {
  return zipOf(Object.entries(parts).map(([name, text]) => ({ name, bytes: Buffer.from(text) })))
}

/** A PNG of one colour. */
export function samplePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, 0x66)])
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10)
  const chunks = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([signature, ...chunks])
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, sum])
}
