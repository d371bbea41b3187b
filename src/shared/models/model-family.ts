/**
 * The maker of a model, by its name. A judge prefers answers of its own family, so it must not grade them. Providers
 * that host models of several makers often name the maker before a slash, but not always.
 */

const families: readonly (readonly [family: string, names: RegExp])[] = [
  ['openai', /^(gpt|chatgpt|o[1-9](-|$)|codex|davinci)/],
  ['anthropic', /^claude/],
  ['google', /^(gemini|gemma|palm|learnlm)/],
  ['meta', /^(meta-)?(llama|muse)/],
  ['mistral', /^((open-)?mi[sx]tral|codestral|ministral|magistral|devstral|pixtral|voxtral)/],
  ['alibaba', /^(qwen|qwq|qvq)/],
  ['deepseek', /^deepseek/],
  ['xai', /^grok/],
  ['cohere', /^(command|c4ai|aya)/],
  ['microsoft', /^(phi|mai|wizardlm)/],
  ['amazon', /^(nova|titan)/],
  ['moonshot', /^(kimi|moonshot)/],
  ['zhipu', /^(glm|chatglm)/],
  ['minimax', /^(minimax|abab)/],
  ['nvidia', /^(nemotron|nvidia)/],
  ['ibm', /^granite/],
  ['ai21', /^jamba/],
  ['01-ai', /^yi-/],
  ['huggingface', /^(smollm|zephyr)/],
  ['perplexity', /^(sonar|pplx)/],
  ['bytedance', /^(doubao|seed)/],
  ['tencent', /^hunyuan/],
  ['baidu', /^ernie/],
  ['reka', /^reka/],
  ['allenai', /^(olmo|tulu)/],
]

/**
 * A distilled model belongs to the family that its name begins with. A model of an unknown name is its own family
 * together with models that share the first word.
 * @param modelId  `<provider>:<model_name>`
 */
export function familyOf(modelId: string): string {
  const name = modelId.slice(modelId.indexOf(':') + 1).toLowerCase()
  const parts = name.split('/')
  const model = parts.at(-1) ?? name
  // Cloud platforms write the maker before a dot: `us.anthropic.claude-…`.
  for (const candidate of [model, ...model.split('.'), ...parts.slice(0, -1).toReversed()]) {
    const found = families.find(([family, names]) => names.test(candidate) || family === candidate)
    if (found) return found[0]
  }
  return (/^[a-z]+/.exec(model) ?? [model])[0]
}
