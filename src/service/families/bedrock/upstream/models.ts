/**
 * The models of an account in one region: base models that take requests directly, and inference profiles, which
 * most newer models need. Both come from Bedrock's control host.
 */
import { z } from 'zod'
import { ProviderError } from '../../../providers/provider.ts'
import type { WireFormat, WireRequest } from '../../../providers/wire.ts'

type Get = Parameters<WireFormat['listModels']>[0]

const baseModelsSchema = z.object({
  modelSummaries: z.array(
    z.object({
      modelId: z.string(),
      outputModalities: z.array(z.string()).nullish(),
      inferenceTypesSupported: z.array(z.string()).nullish(),
    }),
  ),
})

const profilesSchema = z.object({
  inferenceProfileSummaries: z.array(
    z.object({
      inferenceProfileId: z.string(),
      inferenceProfileArn: z.string(),
      status: z.string().nullish(),
      type: z.string().nullish(),
    }),
  ),
  nextToken: z.string().nullish(),
})

/** Most pages of inference profiles; a server that never ends its list is cut off. */
const mostPages = 20

/** @param baseUrl  of the control host */
export async function listModels(get: Get, baseUrl: string): Promise<string[]> {
  const read = (path: string) =>
    get({ path, baseUrl } satisfies Pick<WireRequest, 'path' | 'baseUrl'>)
  const [models, system, own] = await Promise.all([
    baseModels(read),
    profiles(read, 'SYSTEM_DEFINED'),
    profiles(read, 'APPLICATION'),
  ])
  return [...new Set([...models, ...system, ...own])]
}

type Read = (path: string) => Promise<unknown>

async function baseModels(read: Read): Promise<string[]> {
  const parsed = baseModelsSchema.safeParse(await read('/foundation-models'))
  if (!parsed.success) throw unknownForm()
  return parsed.data.modelSummaries
    .filter(
      ({ outputModalities, inferenceTypesSupported }) =>
        outputModalities?.includes('TEXT') === true &&
        inferenceTypesSupported?.includes('ON_DEMAND') === true,
    )
    .map(({ modelId }) => modelId)
}

/** A profile of the user's own has no readable id, so its ARN is its name. */
async function profiles(read: Read, type: 'SYSTEM_DEFINED' | 'APPLICATION'): Promise<string[]> {
  const names: string[] = []
  let nextToken: string | null = null
  for (let page = 0; page < mostPages; page += 1) {
    const query = new URLSearchParams({ maxResults: '100', typeEquals: type })
    if (nextToken !== null) query.set('nextToken', nextToken)
    // Each page needs the last one's end.
    const parsed = profilesSchema.safeParse(await read(`/inference-profiles?${query.toString()}`))
    if (!parsed.success) throw unknownForm()
    const { inferenceProfileSummaries, nextToken: next } = parsed.data
    const active = inferenceProfileSummaries.filter(
      ({ status }) => (status ?? 'ACTIVE') === 'ACTIVE',
    )
    names.push(
      ...active.map(({ inferenceProfileId, inferenceProfileArn }) =>
        type === 'APPLICATION' ? inferenceProfileArn : inferenceProfileId,
      ),
    )
    nextToken = next ?? null
    if (nextToken === null) break
  }
  return names
}

function unknownForm(): ProviderError {
  return new ProviderError('invalid_response', 'the list of models has an unknown form')
}
