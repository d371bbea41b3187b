/** The text of a Word document or an Excel workbook. */
import { crc32, inflateRawSync } from 'node:zlib'
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl'

export interface OfficeText {
  mediaType: string
  text: string
}

/** All parts of a file together, unpacked. Their readers hold them in memory. */
const unpackedLimit = 134_217_728
const [stored, deflated] = [0, 8]

/** @returns null for other ZIP archives. @throws Error for a file that is damaged, encrypted or unpacks to too much */
export async function readOffice(bytes: Uint8Array): Promise<OfficeText | null> {
  const file = Buffer.from(bytes)
  const names = await checkedNames(file)
  if (hasPart(names, /^word\/document\d*\.xml$/)) {
    return officeFile('wordprocessingml.document', await textOfDocument(file))
  }
  if (hasPart(names, /^xl\/workbook\d*\.xml$/)) {
    return officeFile('spreadsheetml.sheet', await textOfWorkbook(file))
  }
  return null
}

/** Word for the web names its main part `document2.xml`. */
function hasPart(names: ReadonlySet<string>, part: RegExp): boolean {
  return [...names].some((name) => part.test(name))
}

function officeFile(type: string, text: string): OfficeText {
  const mediaType = `application/vnd.openxmlformats-officedocument.${type}`
  return { mediaType, text }
}

/** HTML, because plain text loses headings, lists and tables. Of an image, its description remains. */
async function textOfDocument(file: Buffer): Promise<string> {
  const { default: mammoth } = await import('mammoth')
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  const { value } = await mammoth.convertToHtml({ buffer: file }, { convertImage })
  return value
    .replaceAll(' src=""', '')
    .replaceAll(/(<\/(?:p|h[1-6]|li|tr|table|ul|ol)>)(?!<\/(?:td|th|li)>)/g, '$1\n')
    .trim()
}

/**
 * Each sheet as a title and CSV, with values as the sheet shows them. Formulas are given by their results. A format in the
 * last row makes a million blank lines: one stays of several.
 */
async function textOfWorkbook(file: Buffer): Promise<string> {
  const { read, utils } = await import('@e965/xlsx')
  const { SheetNames: names, Sheets: sheets } = read(file, { dense: true, cellFormula: false })
  return names
    .flatMap((name) => {
      const sheet = sheets[name]
      if (!sheet) return []
      // Blank lines of a quoted cell are its text.
      const table = utils
        .sheet_to_csv(sheet, { strip: true })
        .replace(/"[^"]*"|\n{3,}/g, (found) => (found.startsWith('"') ? found : '\n\n'))
      return [`Sheet ${name}:\n${table}`]
    })
    .join('\n\n')
}

/**
 * The parts of the archive. Each is unpacked once here, because its readers trust the sizes that an archive names.
 * @throws Error
 */
async function checkedNames(file: Buffer): Promise<Set<string>> {
  const zip = await fromBufferPromise(file)
  const names = new Set<string>()
  let bytes = 0
  for await (const entry of zip.eachEntry()) {
    bytes += entry.uncompressedSize
    if (bytes > unpackedLimit) throw new Error('it unpacks to too much')
    await checkEntry(zip, entry)
    names.add(entry.fileName)
  }
  return names
}

async function checkEntry(zip: ZipFile, entry: Entry): Promise<void> {
  const { compressionMethod, uncompressedSize } = entry
  const isKnown = compressionMethod === stored || compressionMethod === deflated
  if (!isKnown || entry.isEncrypted()) throw new Error('it is encrypted')
  const pieces: Uint8Array[] = []
  const stream = await zip.openReadStreamPromise(entry, { decodeFileData: false })
  // Checked boundary: a stream of bytes.
  for await (const piece of stream) pieces.push(piece as Uint8Array)
  const packed = Buffer.concat(pieces)
  // One byte at least: zlib takes no limit of 0.
  const maxOutputLength = Math.max(1, uncompressedSize)
  const content =
    compressionMethod === deflated ? inflateRawSync(packed, { maxOutputLength }) : packed
  if (content.length !== uncompressedSize || crc32(content) !== entry.crc32) {
    throw new Error('it is damaged')
  }
}
