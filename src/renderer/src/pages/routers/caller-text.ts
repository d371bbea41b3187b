import type { ApiKey, RequestRecord, RequestSource } from '../../../../shared/entities.ts'

const sources: Readonly<Record<RequestSource, string>> = {
  api: 'Deleted key',
  chat: 'Chat window',
  tune: 'Tuning run',
  shadow: 'Shadow sample',
}

/** The name of the key that a request was sent with, or what in Modelport sent it. */
export function callerText(
  { apiKeyId, source }: Pick<RequestRecord, 'apiKeyId' | 'source'>,
  keys: readonly Pick<ApiKey, 'id' | 'name'>[],
): string {
  const key = keys.find(({ id }) => id === apiKeyId)
  return key?.name ?? sources[source]
}
