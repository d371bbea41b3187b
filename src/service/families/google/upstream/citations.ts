/** The sources of an answer as OpenAI's annotations. */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import { countOf, fieldsOf, listOf, stringOf } from '../../../json-fields.ts'

interface Source {
  url: string
  title: string
}

/** One list of the sources of a candidate, which a stream may repeat as it grows. */
export class Citations {
  readonly #sent = new Set<string>()

  /** @param text  of the answer so far; Google counts its bytes, OpenAI its characters */
  read(candidate: WireFields, text: string): WireFields[] {
    const grounding = fieldsOf(candidate['groundingMetadata'])
    const sources = listOf(grounding['groundingChunks']).map(sourceOf)
    const supports = listOf(grounding['groundingSupports']).map(fieldsOf)
    const index = new CharacterIndex(text)
    const found = supports.flatMap((support) => supported(support, { sources, index }))
    const unused = supports.length > 0 ? [] : sources.flatMap((source) => source ?? [])
    const whole = unused.map((source) => annotation(source, [text.length, text.length]))
    return [...found, ...whole].filter((each) => this.#isNew(each))
  }

  #isNew(one: WireFields): boolean {
    const key = JSON.stringify(one)
    if (this.#sent.has(key)) return false
    this.#sent.add(key)
    return true
  }
}

function supported(
  support: WireFields,
  { sources, index }: { sources: readonly (Source | null)[]; index: CharacterIndex },
): WireFields[] {
  const segment = fieldsOf(support['segment'])
  const start = index.at(countOf(segment['startIndex']) ?? 0)
  const end = index.at(countOf(segment['endIndex']) ?? 0)
  return listOf(support['groundingChunkIndices']).flatMap((position) => {
    const source = sources[countOf(position) ?? -1] ?? null
    return source === null ? [] : [annotation(source, [start, end])]
  })
}

/** @returns null for a source without an address */
function sourceOf(value: unknown): Source | null {
  const { web, maps, retrievedContext } = fieldsOf(value)
  const source = fieldsOf(web ?? maps ?? retrievedContext)
  const url = stringOf(source['uri'])
  return url === null ? null : { url, title: stringOf(source['title']) ?? '' }
}

function annotation({ url, title }: Source, [start, end]: [number, number]): WireFields {
  return {
    type: 'url_citation',
    url_citation: { url, title, start_index: start, end_index: end },
  }
}

/** Positions in UTF-8 bytes as positions in characters. */
class CharacterIndex {
  readonly #bytes: Buffer
  readonly #isAscii: boolean

  constructor(text: string) {
    this.#bytes = Buffer.from(text)
    this.#isAscii = this.#bytes.length === text.length
  }

  at(byte: number): number {
    return this.#isAscii ? byte : this.#bytes.toString('utf8', 0, byte).length
  }
}
