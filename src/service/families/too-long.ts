/**
 * Whether a vendor's refusal says that the prompt does not fit the model's context. Few vendors have a code for it, so
 * their sentences are told by words. The error only moves the request to a model with a larger context, so a prompt
 * that quotes such a sentence gains nothing. From the vendors' documentation and users' reports, 2026-11-23:
 * - OpenAI, Azure, Groq, Cerebras: the code `context_length_exceeded`; vLLM, DeepSeek, OpenRouter, Together: "This
 *   model's maximum context length is 8192 tokens. However, …"; llama.cpp: the type `exceed_context_size_error`
 * - OpenAI's `string_above_max_length` is about the prompt or about another text, such as a tool's description; `param` says
 *   which one
 * - Anthropic: "prompt is too long: 208310 tokens > 200000 maximum", "input length and `max_tokens` exceed context
 *   limit: 188240 + 21333 > 200000"; Bedrock also "Input is too long for requested model"
 * - Google: "The input token count (1050000) exceeds the maximum number of tokens allowed (1048576)."
 * - xAI: "This model's maximum prompt length is 131072 but the request contains …"; Mistral: "Prompt contains 40000
 *   tokens …, too large for model with 32768 maximum context length"; Fireworks: "The prompt is too long: …"
 * - Moonshot: "Your request exceeded model token limit"; Qwen: "Range of input length should be [1, 129024]"; Z.ai:
 *   "Prompt exceeds max length"; Cohere: "too many tokens"; text-generation-inference: "`inputs` must have less than …
 *   tokens"; Ollama: "the input length exceeds the context length", "exceeded max context length"
 * - LM Studio: "the number of tokens to keep from the initial prompt is greater than the context length"
 */
const codes = /\b(context_length_exceeded|exceed_context_size_error)\b/

const sentences =
  /(maximum|max) (context|prompt) length|exceeds? (the )?(available )?context|context (window|length) (limit )?(is )?exceed|(prompt|input) is too long|input length and .{1,20} exceed context|input token count .{0,40}exceeds|exceeded model token limit|range of input length|prompt exceeds max length|too many (input )?tokens\b|`inputs` (must have less|tokens)|greater than the context length/i

/**
 * @param code  the vendor's codes and types, as one text
 * @param param  the field of the request that the refusal names
 */
export function isTooLong(code: string, message: string, param: string | null = null): boolean {
  const isOfPrompt = /^(messages|input|instructions)\b/.test(param ?? '')
  if (isOfPrompt && /\bstring_above_max_length\b/.test(code)) return true
  return codes.test(code) || sentences.test(message)
}
