/** Google's lists of models, page by page. */
import { z } from 'zod'
import { ProviderError } from '../../../providers/provider.ts'

/** Far more pages than Google has. */
const maxPages = 50

export interface Page {
  names: string[]
  nextPage: string | null
}

/** @param path  with its query, to which the page is added */
export async function readPages(
  path: string,
  get: (path: string) => Promise<unknown>,
  readPage: (page: unknown) => Page,
): Promise<string[]> {
  const names: string[] = []
  let page: string | null = ''
  for (let pages = 0; page !== null && pages < maxPages; pages += 1) {
    const token: string = page === '' ? '' : `&pageToken=${encodeURIComponent(page)}`
    const next: Page = readPage(await get(`${path}${token}`))
    names.push(...next.names)
    page = next.nextPage
  }
  return names
}

const geminiSchema = z.object({
  models: z
    .array(
      z.object({ name: z.string(), supportedGenerationMethods: z.array(z.string()).default([]) }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
})

/** Reads the models that answer `generateContent`. @throws ProviderError invalid_response */
export function readGeminiPage(value: unknown): Page {
  const parsed = geminiSchema.safeParse(value)
  if (!parsed.success) throw unknownForm()
  const { models, nextPageToken } = parsed.data
  const chat = models.filter((each) => each.supportedGenerationMethods.includes('generateContent'))
  const names = chat.map(({ name }) => name.replace(/^models\//, ''))
  return { names, nextPage: nextPageToken || null }
}

export function unknownForm(): ProviderError {
  return new ProviderError('invalid_response', 'the list of models has an unknown form')
}
