/** Lists OpenAI's models that need the Responses API, by the families in their names. */

/**
 * Models that `/chat/completions` answers with 404. Sources: the type `ResponsesModel` of the package `openai`
 * 7.55, which lists them besides the chat models, and the error that OpenAI sends for others of these families
 * (github.com/docker/docker-agent/issues/313, github.com/HeyPuter/puter/issues/1303), seen 2026-11-22. GPT-6 models call
 * functions over the Responses API only (llm-zoo 1.37, `requiresResponsesAPI`).
 */
const onlyResponses =
  /^(codex-|computer-use-|o\d(-mini)?-(pro|deep-research)|gpt-[\d.]+(-mini)?-(pro|codex|cyber)|gpt-(daybreak|rosalind)-|gpt-[\d.]+-rosalind|gpt-6(\.\d+)?-(astra|sol|luna)\b)/

export function needsResponses(model: string): boolean {
  return onlyResponses.test(model)
}

/** OpenAI's models with audio, its search models and the first of its reasoning models have only chat completions. */
const onlyChat = /-(audio|search)-preview|^gpt-audio|^o1-(mini|preview)/

export function servesResponses(model: string): boolean {
  return !onlyChat.test(model)
}

/** Matches models that reason. Others refuse a request for encrypted reasoning. */
const reasoningModels =
  /^(o\d|codex-|computer-use-|gpt-[5-9](?![\d.]*-chat)|gpt-(daybreak|rosalind)-)/

export function hasReasoning(model: string): boolean {
  return reasoningModels.test(model)
}
