/**
 * Reasoning efforts that models of OpenAI's forms take. They answer 400 to any other ("'reasoning_effort' does not support
 * 'xhigh' with this model"), and no list of the API states this, so it is a table by name. Sources, seen 2026-11-30:
 * developers.openai.com/api/docs/guides/reasoning; the type `ReasoningEffort` of Azure's SDK (learn.microsoft.com), with
 * `gpt-5-pro`; refusals that name the values: github.com/anomalyco/opencode/issues/4451 (`gpt-5.1`),
 * github.com/openai/codex/issues/6647 (`gpt-5.1-codex`), github.com/Laisky/one-api/issues/266 (`-chat`),
 * github.com/withceleste/celeste-python/issues/368 (`gpt-5.2` to `gpt-5.5`, `-pro`).
 */
import { reasoningEfforts, type ReasoningEffort } from '../../../shared/models/model-facts.ts'

type Efforts = readonly ReasoningEffort[]

const usual: Efforts = ['low', 'medium', 'high']

/** The first match counts. */
const families: readonly [RegExp, Efforts][] = [
  [/^(o\d|gpt-oss)/, usual],
  [/^gpt-5-pro/, ['high']],
  [/^gpt-5[\d.]*-chat/, ['medium']],
  [/^gpt-5\.\d+-pro/, ['medium', 'high', 'xhigh']],
  [/^gpt-5(\.1)?-codex(?!-max)/, usual],
  [/^gpt-5[\d.]*-codex/, [...usual, 'xhigh']],
  [/^gpt-5(?!\.)/, ['minimal', ...usual]],
  [/^gpt-5\.1(?!\d)/, ['none', ...usual]],
  [/^gpt-[5-9]/, ['none', ...usual, 'xhigh']],
]

/**
 * The effort itself, else the next higher one that the model takes, else its highest. Other vendors' models of this form read
 * efforts in ways of their own, so theirs stay.
 * @param model  the provider's own name, which may begin with the maker's
 */
export function nearestEffort(wanted: string, model: string): string {
  const place = reasoningEfforts.findIndex((effort) => effort === wanted)
  if (place === -1) return wanted
  const name = model.slice(model.lastIndexOf('/') + 1)
  const taken = families.find(([pattern]) => pattern.test(name))?.[1] ?? reasoningEfforts
  const higher = taken.find((effort) => reasoningEfforts.indexOf(effort) >= place)
  return higher ?? taken.at(-1) ?? wanted
}
