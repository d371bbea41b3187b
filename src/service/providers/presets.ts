/**
 * Provider types: which vendors and servers a person can choose, and what each needs. A type with the wire of
 * another is one entry here. The "add a provider" form, the command line and the catalogue's downloads derive
 * from it.
 */
import { builtInProvider, type ProviderType } from '../../shared/provider-type.ts'
import {
  bedrockOptions,
  compatibleOptions,
  localServerOptions,
  modelOptions,
  ollamaOptions,
  openAiOptions,
  openRouterOptions,
} from './options.ts'
import type { Extension, ModelList } from './wire.ts'
import type { WireName } from './wires/index.ts'

export interface Preset extends ProviderType {
  /** Null for the built-in model, which needs no wire. */
  wire: WireName | null
  /** Whether its reasoning models take `reasoning_effort` as OpenAI's do; absent where that is not documented. */
  takesReasoningEffort?: true
  /**
   * Extensions of OpenAI's chat form that the vendor documents; the others are left out. Absent for servers that
   * ignore fields they do not know. Compared 2026-11-22.
   */
  extensions?: readonly Extension[]
  /** Where its models are listed, if not at the wire's usual place; not used behind another base URL. */
  modelList?: ModelList
  /** For servers that run models; absent for vendors and gateways. */
  modelServer?: ModelServer
}

export interface ModelServer {
  /** Requests that it answers at once, if the user sets no number; null: as many as arrive. */
  slots: number | null
  /** How long it keeps a model in memory after its last answer, if the user sets nothing; Infinity: always. */
  keepsLoadedMs: number
}

const minuteMs = 60_000

/** A server that ignores fields it does not know. */
const compatibleWire = {
  wire: 'openai-chat',
  keyRule: 'required',
  options: [],
  isLocal: false,
  isSelfHosted: false,
} as const satisfies Partial<Preset>

/** A vendor may refuse fields that it does not document. */
const openAiWire = { ...compatibleWire, extensions: [] } as const satisfies Partial<Preset>

/** A server of the user's own, at the address that its documentation names. */
const ownServer = {
  ...compatibleWire,
  keyRule: 'optional',
  keyUrl: null,
  isSelfHosted: true,
  options: modelOptions,
} as const satisfies Partial<Preset>

const googleWire = {
  keyRule: 'required',
  takesReasoningEffort: true,
  isLocal: false,
  isSelfHosted: false,
} as const satisfies Partial<Preset>

export const presets: readonly Preset[] = [
  {
    ...openAiWire,
    wire: 'openai',
    type: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    keyUrl: 'https://platform.openai.com/api-keys',
    documentation: { url: 'https://platform.openai.com/docs/api-reference/chat', comparedAt: null },
    takesReasoningEffort: true,
    options: openAiOptions,
  },
  {
    type: 'anthropic',
    wire: 'anthropic',
    name: 'Anthropic',
    baseUrl: 'https://api.anthropic.com',
    keyRule: 'required',
    keyUrl: 'https://platform.claude.com/settings/keys',
    documentation: {
      url: 'https://platform.claude.com/docs/en/api/messages',
      comparedAt: '2026-11-22',
    },
    takesReasoningEffort: true,
    isLocal: false,
    isSelfHosted: false,
    options: [],
  },
  {
    ...googleWire,
    type: 'google',
    name: 'Google Gemini',
    wire: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyUrl: 'https://aistudio.google.com/apikey',
    documentation: {
      url: 'https://ai.google.dev/api/generate-content',
      comparedAt: '2026-11-22',
    },
    options: [],
  },
  {
    ...openAiWire,
    type: 'groq',
    extensions: ['message_reasoning'],
    name: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyUrl: 'https://console.groq.com/keys',
    documentation: { url: 'https://console.groq.com/docs/openai', comparedAt: null },
  },
  {
    ...openAiWire,
    type: 'mistral',
    name: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keyUrl: 'https://console.mistral.ai/api-keys',
    documentation: { url: 'https://docs.mistral.ai/api', comparedAt: null },
  },
  {
    ...openAiWire,
    type: 'deepseek',
    extensions: ['reasoning_content'],
    name: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    keyUrl: 'https://platform.deepseek.com/api_keys',
    documentation: { url: 'https://api-docs.deepseek.com', comparedAt: null },
  },
  {
    ...openAiWire,
    type: 'xai',
    name: 'xAI',
    baseUrl: 'https://api.x.ai/v1',
    keyUrl: 'https://console.x.ai',
    documentation: { url: 'https://docs.x.ai/docs/api-reference', comparedAt: null },
  },
  {
    ...openAiWire,
    type: 'together',
    name: 'Together AI',
    baseUrl: 'https://api.together.xyz/v1',
    keyUrl: 'https://api.together.ai/settings/api-keys',
    documentation: {
      url: 'https://docs.together.ai/docs/openai-api-compatibility',
      comparedAt: null,
    },
  },
  {
    ...openAiWire,
    type: 'fireworks',
    extensions: ['reasoning_content'],
    takesReasoningEffort: true,
    name: 'Fireworks AI',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyUrl: 'https://fireworks.ai/account/api-keys',
    documentation: {
      url: 'https://docs.fireworks.ai/tools-sdks/openai-compatibility',
      comparedAt: null,
    },
  },
  {
    ...openAiWire,
    type: 'cerebras',
    extensions: ['message_reasoning'],
    name: 'Cerebras',
    baseUrl: 'https://api.cerebras.ai/v1',
    keyUrl: 'https://cloud.cerebras.ai',
    documentation: { url: 'https://inference-docs.cerebras.ai/resources/openai', comparedAt: null },
  },
  {
    ...openAiWire,
    type: 'openrouter',
    extensions: [
      'cache_control',
      'message_reasoning',
      'reasoning',
      'reasoning_content',
      'reasoning_details',
    ],
    takesReasoningEffort: true,
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyUrl: 'https://openrouter.ai/keys',
    documentation: { url: 'https://openrouter.ai/docs/api-reference/overview', comparedAt: null },
    options: openRouterOptions,
  },
  {
    ...openAiWire,
    type: 'perplexity',
    name: 'Perplexity',
    baseUrl: 'https://api.perplexity.ai',
    keyUrl: 'https://www.perplexity.ai/account/api',
    documentation: {
      url: 'https://docs.perplexity.ai/docs/sonar/openai-compatibility',
      comparedAt: '2026-11-22',
    },
    // The list also has models of its agent API, which chat completions do not take.
    modelList: { path: '/v1/models', prefix: 'perplexity/' },
  },
  {
    ...openAiWire,
    type: 'cohere',
    name: 'Cohere',
    baseUrl: 'https://api.cohere.ai/compatibility/v1',
    keyUrl: 'https://dashboard.cohere.com/api-keys',
    documentation: {
      url: 'https://docs.cohere.com/docs/compatibility-api',
      comparedAt: '2026-11-22',
    },
  },
  {
    ...openAiWire,
    type: 'nvidia',
    name: 'NVIDIA',
    baseUrl: 'https://integrate.api.nvidia.com/v1',
    keyUrl: 'https://build.nvidia.com/settings/api-keys',
    documentation: { url: 'https://docs.api.nvidia.com/nim/reference/llm-apis', comparedAt: null },
  },
  {
    ...openAiWire,
    type: 'sambanova',
    name: 'SambaNova',
    baseUrl: 'https://api.sambanova.ai/v1',
    keyUrl: 'https://cloud.sambanova.ai/apis',
    documentation: {
      url: 'https://docs.sambanova.ai/cloud/docs/resources/glossary',
      comparedAt: '2026-11-22',
    },
  },
  {
    ...openAiWire,
    type: 'huggingface',
    name: 'Hugging Face',
    baseUrl: 'https://router.huggingface.co/v1',
    keyUrl: 'https://huggingface.co/settings/tokens',
    documentation: {
      url: 'https://huggingface.co/docs/inference-providers/tasks/chat-completion',
      comparedAt: '2026-11-22',
    },
  },
  {
    ...openAiWire,
    type: 'github-models',
    name: 'GitHub Models',
    baseUrl: 'https://models.github.ai/inference',
    keyUrl: 'https://github.com/settings/personal-access-tokens',
    documentation: {
      url: 'https://docs.github.com/en/github-models/quickstart',
      comparedAt: '2026-11-22',
    },
    modelList: { baseUrl: 'https://models.github.ai', path: '/catalog/models' },
  },
  {
    ...openAiWire,
    type: 'moonshot',
    extensions: ['reasoning_content'],
    name: 'Moonshot AI (Kimi)',
    baseUrl: 'https://api.moonshot.ai/v1',
    keyUrl: 'https://platform.moonshot.ai/console/api-keys',
    documentation: { url: 'https://platform.kimi.ai/docs/api/overview', comparedAt: null },
  },
  {
    ...openAiWire,
    type: 'zai',
    extensions: ['reasoning_content'],
    name: 'Z.ai (GLM)',
    baseUrl: 'https://api.z.ai/api/paas/v4',
    keyUrl: 'https://z.ai/manage-apikey/apikey-list',
    documentation: {
      url: 'https://docs.z.ai/api-reference/introduction',
      comparedAt: '2026-11-22',
    },
  },
  {
    ...openAiWire,
    type: 'qwen',
    extensions: ['cache_control', 'reasoning_content'],
    name: 'Qwen (Alibaba Cloud)',
    // The documentation names an address per workspace and region since June 2026: a changed base URL.
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    keyUrl: 'https://modelstudio.console.alibabacloud.com',
    documentation: {
      url: 'https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope',
      comparedAt: null,
    },
  },
  {
    ...openAiWire,
    type: 'minimax',
    extensions: ['reasoning_content', 'reasoning_details'],
    name: 'MiniMax',
    baseUrl: 'https://api.minimax.io/v1',
    keyUrl: 'https://platform.minimax.io/user-center/basic-information/interface-key',
    documentation: {
      url: 'https://platform.minimax.io/docs/api-reference/text-openai-api',
      comparedAt: null,
    },
  },
  {
    type: 'bedrock',
    name: 'AWS Bedrock',
    wire: 'bedrock',
    baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    // The options may choose a profile in place of a key.
    keyRule: 'optional',
    keyUrl: 'https://console.aws.amazon.com/bedrock/home#/api-keys',
    options: bedrockOptions,
    isLocal: false,
    isSelfHosted: false,
    documentation: {
      url: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html',
      comparedAt: '2026-11-22',
    },
  },
  {
    ...ownServer,
    type: 'ollama',
    wire: 'ollama',
    name: 'Ollama',
    baseUrl: 'http://127.0.0.1:11434',
    documentation: { url: 'https://docs.ollama.com/api/chat', comparedAt: '2026-11-22' },
    options: ollamaOptions,
    // OLLAMA_NUM_PARALLEL, which its API does not show, is 1 unless the user sets it.
    modelServer: { slots: 1, keepsLoadedMs: 5 * minuteMs },
  },
  {
    ...ownServer,
    type: 'lm-studio',
    name: 'LM Studio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    documentation: {
      url: 'https://lmstudio.ai/docs/developer/openai-compat',
      comparedAt: '2026-11-22',
    },
    options: localServerOptions,
    modelServer: { slots: 1, keepsLoadedMs: 60 * minuteMs },
  },
  {
    ...ownServer,
    type: 'llama-cpp',
    name: 'llama.cpp',
    // Its port was 8080 until the autumn of 2026.
    baseUrl: 'http://127.0.0.1:9931/v1',
    documentation: {
      url: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md',
      comparedAt: '2026-11-22',
    },
    options: localServerOptions,
    modelServer: { slots: 1, keepsLoadedMs: Infinity },
  },
  {
    ...ownServer,
    type: 'vllm',
    name: 'vLLM',
    baseUrl: 'http://127.0.0.1:8000/v1',
    documentation: {
      url: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
      comparedAt: '2026-11-22',
    },
    options: localServerOptions,
    modelServer: { slots: null, keepsLoadedMs: Infinity },
  },
  {
    ...ownServer,
    type: 'litellm',
    name: 'LiteLLM',
    baseUrl: 'http://127.0.0.1:4000/v1',
    documentation: { url: 'https://docs.litellm.ai/docs/proxy/user_keys', comparedAt: null },
  },
  {
    ...compatibleWire,
    type: 'openai-compatible',
    name: 'OpenAI-compatible server',
    baseUrl: null,
    keyRule: 'optional',
    keyUrl: null,
    documentation: { url: 'https://platform.openai.com/docs/api-reference/chat', comparedAt: null },
    isSelfHosted: true,
    options: compatibleOptions,
  },
  {
    type: builtInProvider.type,
    name: 'This computer',
    baseUrl: null,
    keyRule: 'none',
    keyUrl: null,
    options: [],
    documentation: null,
    isLocal: true,
    isSelfHosted: false,
    wire: null,
  },
]
