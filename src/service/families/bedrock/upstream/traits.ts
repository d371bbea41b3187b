/**
 * How the models of Bedrock differ in what Converse takes for them. A request with a field that its model does
 * not take gets a 400, and no list of AWS states this, so it is a table by name. Compared on 2026-11-22 with
 * docs.aws.amazon.com/bedrock/latest/userguide: prompt-caching, structured-output, conversation-inference-supported-models-features.
 */

export interface BedrockTraits {
  family: 'claude' | 'nova' | 'gpt-oss' | 'other'
  /** The places where the model takes a cache point. */
  cachePoints: readonly ('system' | 'messages' | 'tools')[]
  /** Takes cache points that last an hour. */
  cachesAnHour: boolean
  /** Takes a JSON schema for its answer, and `strict` in tools. */
  takesSchemas: boolean
  /** Takes Anthropic's `disable_parallel_tool_use`. */
  disablesParallel: boolean
}

const other: BedrockTraits = {
  family: 'other',
  cachePoints: [],
  cachesAnHour: false,
  takesSchemas: false,
  disablesParallel: false,
}
const claude: BedrockTraits = {
  ...other,
  family: 'claude',
  cachePoints: ['system', 'messages', 'tools'],
  cachesAnHour: true,
  takesSchemas: true,
  disablesParallel: true,
}
const olderClaude: BedrockTraits = {
  ...claude,
  cachesAnHour: false,
  takesSchemas: false,
  disablesParallel: false,
}

/** The first match counts. Names may have a prefix for a group of regions, and a version at the end. */
const families: readonly [RegExp, BedrockTraits][] = [
  [/claude-(instant|v2|3-(haiku|opus|sonnet)|3-5-sonnet)/, { ...olderClaude, cachePoints: [] }],
  [/claude-(3|(opus|sonnet|haiku)-4-(\d{8}|0|1)|(opus|sonnet)-4$)/, olderClaude],
  [/claude/, claude],
  [
    /nova-(micro|lite|pro|premier|2)/,
    { ...other, family: 'nova', cachePoints: ['system', 'messages'] },
  ],
  [/gpt-oss/, { ...other, family: 'gpt-oss', takesSchemas: true }],
  [
    /qwen3|deepseek\.v3|gemma-3|minimax|mistral-large-3|ministral|magistral|kimi|nemotron/,
    { ...other, takesSchemas: true },
  ],
]

/** @param model  an id, an inference profile or an ARN */
export function traitsOf(model: string): BedrockTraits {
  return families.find(([pattern]) => pattern.test(model))?.[1] ?? other
}
