/**
 * The answers by which model servers are recognised. Compared on 2026-11-22 with docs/openapi.yaml of
 * github.com/ollama/ollama, lmstudio.ai/docs/developer/rest (its `v0` is deprecated, and versions before 0.4 have
 * no other), tools/server/README.md of github.com/ggml-org/llama.cpp, and vLLM's OpenAI-compatible server.
 */
import { z } from 'zod'
import type { Capability } from '../../shared/models/model-abilities.ts'
import type { FoundModel } from '../../shared/models/model-servers.ts'

/** One request to the server; null for anything but JSON with status 200. */
export type GetJson = (path: string, body?: object) => Promise<unknown>

export interface RecognisedServer {
  /** An entry of the provider registry. */
  type: string
  origin: string
  /** Base URL for a provider. */
  baseUrl: string
  version: string | null
  models: readonly FoundModel[]
  /** Requests that it answers at once; null when it does not tell. */
  slots: number | null
}

interface AskedServer {
  origin: string
  get: GetJson
}

/** @returns null when the answer is of no server known here */
export async function readAnswer(
  answer: unknown,
  { origin, get }: AskedServer,
): Promise<RecognisedServer | null> {
  const list = isOlderLmStudio(answer) ? await get('/api/v0/models') : answer
  for (const { type, models, path = '/v1', details } of kinds) {
    const read = models.safeParse(list)
    if (!read.success) continue
    const baseUrl = origin + path
    const server = { type, origin, baseUrl, version: null, slots: null, models: read.data }
    return details ? await details(server, get) : server
  }
  return null
}

/** The models with what only a request for each of them shows. */
export async function describeEach(
  { type, models }: RecognisedServer,
  get: GetJson,
): Promise<readonly FoundModel[]> {
  const kind = kinds.find((known) => known.type === type)
  return kind?.describe ? await kind.describe(models, get) : models
}

const model = (given: Partial<FoundModel> & { name: string }): FoundModel => ({
  contextTokens: null,
  isLoaded: null,
  sizeBytes: null,
  capabilities: [],
  ...given,
})
const tokens = z.number().int().positive()
const bytes = z.number().nonnegative()

const ollamaTags = z
  .object({
    models: z.array(
      z.object({
        name: z.string(),
        size: bytes,
        digest: z.string().min(1),
        modified_at: z.string(),
        remote_host: z.string().nullish(),
      }),
    ),
  })
  // Models that run at ollama.com have a price and leave this computer.
  .transform(({ models }) =>
    models
      .filter(({ remote_host: remote }) => !remote)
      .map(({ name, size: sizeBytes }) => model({ name, sizeBytes, isLoaded: false })),
  )

const lmStudioV1 = z
  .object({
    models: z.array(
      z.object({
        type: z.string(),
        key: z.string(),
        size_bytes: bytes.nullish(),
        loaded_instances: z.array(
          z.looseObject({ config: z.looseObject({ context_length: tokens.optional() }) }),
        ),
        max_context_length: tokens,
        capabilities: z
          .object({ vision: z.boolean(), trained_for_tool_use: z.boolean() })
          .partial()
          .nullish(),
      }),
    ),
  })
  .transform(({ models }) =>
    models
      .filter(({ type }) => type === 'llm' || type === 'embedding')
      .map(
        ({
          type,
          key,
          size_bytes,
          loaded_instances: [instance],
          max_context_length,
          capabilities,
        }) =>
          model({
            name: key,
            sizeBytes: size_bytes ?? null,
            isLoaded: instance !== undefined,
            contextTokens: instance?.config.context_length ?? max_context_length,
            capabilities:
              type === 'embedding'
                ? ['embeddings']
                : abilities({
                    tools: capabilities?.trained_for_tool_use,
                    vision: capabilities?.vision,
                  }),
          }),
      ),
  )

/** Versions before 0.4 answer unknown addresses with status 200. */
function isOlderLmStudio(answer: unknown): boolean {
  const refusal = z.object({ error: z.string().startsWith('Unexpected endpoint or method') })
  return refusal.safeParse(answer).success
}

const lmStudioV0 = z
  .object({
    data: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        state: z.string(),
        max_context_length: tokens,
        loaded_context_length: tokens.optional(),
        capabilities: z.array(z.string()).optional(),
      }),
    ),
  })
  .transform(({ data }) =>
    data
      .filter(({ type }) => type === 'llm' || type === 'vlm' || type === 'embeddings')
      .map((found) =>
        model({
          name: found.id,
          isLoaded: found.state === 'loaded',
          contextTokens: found.loaded_context_length ?? found.max_context_length,
          capabilities:
            found.type === 'embeddings'
              ? ['embeddings']
              : abilities({
                  tools: found.capabilities?.includes('tool_use'),
                  vision: found.type === 'vlm',
                }),
        }),
      ),
  )

const openAiModels = <Owner extends string>(owner: Owner) =>
  z
    .object({
      data: z
        .array(
          z.object({
            id: z.string(),
            owned_by: z.literal(owner),
            max_model_len: tokens.nullish(),
            meta: z.object({ n_ctx: tokens, n_ctx_train: tokens, size: bytes }).partial().nullish(),
            status: z.object({ value: z.string() }).optional(),
          }),
        )
        .min(1),
    })
    .transform(({ data }) =>
      data.map(({ id, max_model_len, meta, status }) =>
        model({
          name: id,
          contextTokens: max_model_len ?? meta?.n_ctx ?? meta?.n_ctx_train ?? null,
          sizeBytes: meta?.size ?? null,
          // A llama.cpp server of many models loads them when they are needed.
          isLoaded: status === undefined || status.value === 'loaded',
        }),
      ),
    )

function abilities(given: {
  tools?: boolean | undefined
  vision?: boolean | undefined
}): Capability[] {
  // Each of these servers constrains the output to a JSON schema.
  const found: Capability[] = ['json']
  if (given.tools) found.push('tools')
  if (given.vision) found.push('vision')
  return found
}

const versionSchema = z.object({ version: z.string() })

const ollamaRunning = z.object({
  models: z.array(z.object({ name: z.string(), context_length: tokens.nullish() })),
})

/** The version, and which models are in memory. */
async function ollamaDetails(server: RecognisedServer, get: GetJson): Promise<RecognisedServer> {
  const [version, running] = await Promise.all([get('/api/version'), get('/api/ps')])
  const loaded = new Map(
    ollamaRunning
      .safeParse(running)
      .data?.models.map(({ name, context_length }) => [name, context_length ?? null]),
  )
  return {
    ...server,
    version: versionSchema.safeParse(version).data?.version ?? null,
    models: server.models.map((one) => ({
      ...one,
      isLoaded: loaded.has(one.name),
      contextTokens: loaded.get(one.name) ?? null,
    })),
  }
}

const llamaProps = z.object({
  total_slots: tokens.optional(),
  build_info: z.string().optional(),
  default_generation_settings: z.object({ n_ctx: tokens.optional() }).optional(),
  modalities: z.object({ vision: z.boolean().optional() }).optional(),
  chat_template_caps: z.record(z.string(), z.unknown()).optional(),
})

async function llamaDetails(server: RecognisedServer, get: GetJson): Promise<RecognisedServer> {
  const props = llamaProps.safeParse(await get('/props')).data
  if (props === undefined) return server
  const { chat_template_caps: caps, modalities } = props
  const tools = caps?.['supports_tool_calls'] === true || caps?.['supports_tools'] === true
  return {
    ...server,
    version: props.build_info ?? null,
    slots: props.total_slots ?? null,
    models: server.models.map((one) => ({
      ...one,
      contextTokens: props.default_generation_settings?.n_ctx ?? one.contextTokens,
      capabilities: abilities({ tools, vision: modalities?.vision }),
    })),
  }
}

async function vllmDetails(server: RecognisedServer, get: GetJson): Promise<RecognisedServer> {
  return {
    ...server,
    version: versionSchema.safeParse(await get('/version')).data?.version ?? null,
    models: server.models.map((one) => ({ ...one, capabilities: abilities({ tools: true }) })),
  }
}

/** Ollama's own default while a model is not loaded; more only with enough graphics memory. */
const ollamaContextTokens = 4096
const mostDescribed = 200

const ollamaShown = z.object({
  capabilities: z.array(z.string()).default([]),
  parameters: z.string().default(''),
  model_info: z.record(z.string(), z.unknown()).default({}),
})

/** Asks for each model, and leaves out those that neither chat nor make embeddings. */
async function describeOllama(
  models: readonly FoundModel[],
  get: GetJson,
): Promise<readonly FoundModel[]> {
  const described = await Promise.all(
    models.slice(0, mostDescribed).map(async (one) => {
      const shown = ollamaShown.safeParse(await get('/api/show', { model: one.name }))
      return shown.success ? describe(one, shown.data) : one
    }),
  )
  return described.filter((one) => one !== null)
}

function describe(one: FoundModel, shown: z.infer<typeof ollamaShown>): FoundModel | null {
  const { capabilities, parameters, model_info } = shown
  const chats = capabilities.includes('completion')
  if (!chats && !capabilities.includes('embedding')) return null
  const own = Number(/^num_ctx\s+(\d+)/m.exec(parameters)?.[1] ?? ollamaContextTokens)
  const [, longest] =
    Object.entries(model_info).find(([name]) => name.endsWith('.context_length')) ?? []
  const contextTokens =
    one.contextTokens ?? Math.min(own, typeof longest === 'number' ? longest : own)
  if (!chats) return { ...one, contextTokens, capabilities: ['embeddings'] }
  const tools = capabilities.includes('tools')
  const vision = capabilities.includes('vision')
  return { ...one, contextTokens, capabilities: [...abilities({ tools, vision }), 'logprobs'] }
}

interface ServerKind {
  /** An entry of the provider registry. */
  type: string
  /** The form of its list of models. */
  models: z.ZodType<FoundModel[]>
  /** Path of the base URL; `/v1` by default. */
  path?: string
  /** Adds what the server tells about itself at other addresses. */
  details?: (server: RecognisedServer, get: GetJson) => Promise<RecognisedServer>
  describe?: (models: readonly FoundModel[], get: GetJson) => Promise<readonly FoundModel[]>
}

const kinds: readonly ServerKind[] = [
  {
    type: 'ollama',
    models: ollamaTags,
    path: '',
    details: ollamaDetails,
    describe: describeOllama,
  },
  { type: 'lm-studio', models: lmStudioV1 },
  { type: 'lm-studio', models: lmStudioV0 },
  { type: 'llama-cpp', models: openAiModels('llamacpp'), details: llamaDetails },
  { type: 'vllm', models: openAiModels('vllm'), details: vllmDetails },
]
