/**
 * Whether the name in an answer means the model that was asked. Names of one model differ by provider, date and form:
 * `openai/gpt-5.4`, `gpt-5.4-2026-03-05` and `us.openai.gpt-5.4-v1:0` are one. Only what is certainly another model
 * counts as one: a different model of the catalogue, or another family, version or size.
 */
export type NameVerdict = 'same' | 'different' | 'unsure'

interface NamedModel {
  id: string
  aliases: readonly string[]
  /** The name of the same weights at every provider; null when it is not known. */
  weights: string | null
}

interface NameParts {
  family: string | null
  /** Numbers such as `5.4`, `4-1` as `4.1`, and `70b`. */
  versions: string[]
  sizes: string[]
  text: string
}

/** @returns compares the name that was asked with the one in the answer */
export function openNames(
  models: readonly NamedModel[],
): (asked: string, named: string) => NameVerdict {
  const weightsOf = new Map<string, Set<string>>()
  for (const { id, aliases, weights } of models) {
    if (weights === null) continue
    for (const name of [id.slice(id.indexOf(':') + 1), ...aliases]) {
      const text = partsOf(name).text
      weightsOf.set(text, (weightsOf.get(text) ?? new Set()).add(weights))
    }
  }
  const memory = new Map<string, NameVerdict>()
  return (asked, named) => {
    if (asked === named) return 'same'
    const pair = `${asked}\n${named}`
    const known = memory.get(pair)
    if (known !== undefined) return known
    const verdict = compare(partsOf(asked), partsOf(named), weightsOf)
    if (memory.size >= mostPairs) memory.clear()
    memory.set(pair, verdict)
    return verdict
  }
}

const mostPairs = 1_000

function compare(
  asked: NameParts,
  named: NameParts,
  weightsOf: ReadonlyMap<string, ReadonlySet<string>>,
): NameVerdict {
  if (asked.text === named.text) return 'same'
  const askedWeights = weightsOf.get(asked.text)
  const namedWeights = weightsOf.get(named.text)
  if (askedWeights && namedWeights) {
    if ([...askedWeights].some((weights) => namedWeights.has(weights))) return 'same'
    // A name without a version, such as `mistral-large-latest`, moves on to the next one.
    if (asked.versions.length > 0) return 'different'
  }
  // A deployment or a router with a name of its own may stand for any model.
  if (asked.family === null || named.family === null) return 'unsure'
  if (asked.family !== named.family || !isSameList(asked.sizes, named.sizes)) return 'different'
  if (asked.versions.length === 0 || named.versions.length === 0) return 'unsure'
  return isSameList(asked.versions, named.versions) ? 'unsure' : 'different'
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.join(' ') === other.join(' ')
}

const families =
  /^(chatgpt|gpt|claude|gemini|gemma|llama|codellama|qwen|qwq|deepseek|mistral|mixtral|ministral|codestral|magistral|devstral|grok|glm|kimi|command|nova|phi|minimax|granite|smollm|o(?=[134](?:-|$)))/

const sizeWords: ReadonlySet<string> = new Set(
  (
    'nano micro mini tiny lite small medium large ultra pro plus max flash turbo haiku sonnet opus ' +
    'fast air vl vision coder code codex scout maverick embedding audio realtime distill thinking nonthinking'
  ).split(' '),
)

/** Words that say how a model is served or which edition it is, and nothing about its weights. */
const neutral =
  /^(latest|preview|exp|experimental|beta|free|instruct|chat|it|hf|fp8|fp16|bf16|awq|gptq|int[48]|q\d.*|gguf|versatile|maas|instant|online|extended|default|v\d+|00\d|\d{4}|\d{2}|20\d{6}|20\d{2})$/

function partsOf(name: string): NameParts {
  const lower = name.toLowerCase()
  // What a provider puts in front: `accounts/x/models/`, `openai/`, `us.anthropic.`; behind: `:free`, `@20251001`.
  const last = lower
    .slice(lower.lastIndexOf('/') + 1)
    .replace(/^(?:[a-z]{2,6}\.)?[a-z0-9]{2,12}\.(?=[a-z])/, '')
  const bare = last
    .replace(/[:@].*$/, (end) => (/^:\d+(?:\.\d+)?b/.test(end) ? end.replace(':', '-') : ''))
    .replace(/[-_]?20\d{2}-?\d{2}-?\d{2}(?=$|[-_])/g, '')
    // `4-5` and `3p3` are versions, as `4.5` and `3.3`.
    .replace(/(?<=[a-z]-?)(\d{1,2})[-p_](\d{1,2})(?=$|[-_])/g, '$1.$2')
    .replace(/^(chat)?gpt(?=\d)/, 'gpt-')
    .replace(/^(llama|qwen|gemma|phi|grok|glm|granite|smollm)(?=\d)/, '$1-')
  const words = bare.split(/[-_ ]/).filter((word) => word !== '')
  const family = families.exec(bare)?.[0] ?? null
  const told = words.filter((word) => !neutral.test(word) || /^\d\.\d/.test(word))
  const versions = told.flatMap(
    (word) =>
      /^[a-z]{0,2}\d+(?:\.\d+)*[a-z]{0,2}$/.exec(word)?.[0].replace(/^v/, '').replace(/\.0$/, '') ??
      [],
  )
  const sizes = told.filter((word) => sizeWords.has(word)).toSorted()
  return { family, versions: versions.toSorted(), sizes, text: told.toSorted().join(' ') }
}
