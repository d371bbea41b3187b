/** The licence of each source of prompts. Only numbers learned from the prompts are stored. */
const unchecked = 'as published, not checked again here'
const licences: readonly (readonly [start: string, licence: string])[] = [
  ['mmlu_pro', `TIGER-AI-Lab/MMLU-Pro, Apache-2.0 (${unchecked})`],
  ['routellm', `lm-sys/RouteLLM, Apache-2.0 (${unchecked})`],
  ['ulab_llmrouter', 'ulab-uiuc/LLMRouter, MIT (pyproject.toml at 2756692)'],
  ['zeroeval', `WildEval/ZeroEval, Apache-2.0 (${unchecked})`],
]

export function licenceOf(name: string): string {
  const [, licence] = licences.find(([start]) => name.startsWith(start)) ?? []
  return licence ?? 'not known'
}
