/** Images and documents inside a request. */

export interface InlineData {
  /** Media type in lower case, without parameters; may be empty. */
  mediaType: string
  /** Base64. */
  data: string
}

/** Searches only the header, because the data may be megabytes. @returns null for an address */
export function readDataUrl(url: string): InlineData | null {
  if (!url.startsWith('data:')) return null
  const comma = url.indexOf(',')
  if (comma === -1) return null
  const [mediaType = '', ...parameters] = url.slice('data:'.length, comma).split(';')
  const rest = url.slice(comma + 1)
  const isBase64 = parameters.includes('base64')
  const data = isBase64 ? rest : Buffer.from(decoded(rest)).toString('base64')
  return { mediaType: mediaType.toLowerCase(), data }
}

/** A text with a stray percent sign is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
