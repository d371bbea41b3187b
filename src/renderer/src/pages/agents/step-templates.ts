import { parse } from 'yaml'
import { allSteps, stepAt, type DraftGraph, type StepType } from './draft.ts'

/** The smallest agent that runs. */
export const smallestAgent = `name: my-agent
description: ""
steps:
  - id: answer
    type: prompt
    user: "{{ input }}"
`

/** The fields of a working step. `from` is the text that it works on, `part` an unused id. */
const fieldsOf: Record<StepType, (from: string, part: string) => string> = {
  prompt: (from) => `user: '${from}'`,
  text: (from) => `text: '${from}'`,
  agent: (from) => `agent: another-agent\ninput: '${from}'`,
  judge: (from) => `candidates: 3
candidate:
  user: '${from}'
  temperature: 1
judge:
  user: |
    Question: ${from}
    {% for answer in candidates %}
    Answer {{ forloop.index }}: {{ answer }}
    {% endfor %}
    Which answer is the best?`,
  branch: (from, part) => `cases:
  - when: input contains "?"
    steps:
      - id: ${part}
        type: prompt
        user: '${from}'`,
  map: (_from, part) => `over: 'input | split: ","'
steps:
  - id: ${part}
    type: prompt
    user: '{{ item }}'`,
  loop: (from, part) => `max_iterations: 3
steps:
  - id: ${part}
    type: prompt
    user: 'Improve this text: {% if iteration == 1 %}${from}{% else %}{{ previous }}{% endif %}'`,
}

interface StepPlace {
  /** All step ids of the agent. */
  ids: readonly string[]
  /** The id of the previous step; empty for none. */
  before: string
}

/** The lines of a working step, without the dash of its list. */
export function stepLines(type: StepType, { ids, before }: StepPlace): string {
  const id = freeId(type, ids)
  const from = before === '' ? '{{ input }}' : `{{ steps.${before}.output }}`
  const needs = before === '' ? [] : [`needs: [${before}]`]
  const fields = fieldsOf[type](from, freeId('part', [...ids, id]))
  return [`id: ${id}`, `type: ${type}`, ...needs, fields].join('\n')
}

export interface Insertion {
  at: number
  text: string
}

/** A new step at the end of the list of steps around the caret. */
export function stepInsertion(source: string, draft: DraftGraph, insert: NewStep): Insertion {
  const ids = allSteps(draft).map(({ id }) => id)
  const path = stepAt(draft, insert.caret)?.path.slice(0, -1).join('.')
  const lists = [draft, ...allSteps(draft).flatMap(({ graphs }) => graphs)]
  const list = lists.find((graph) => graph.path.join('.') === path) ?? draft
  const last = list.steps.at(-1)
  const lines = stepLines(insert.type, { ids, before: last?.id ?? '' })
  if (!last) return firstStep(source, lines)
  const { from, to } = last.range
  if (source[from] === '{') return { at: to, text: `, ${JSON.stringify(parse(lines))}` }
  const margin = from - source.lastIndexOf('\n', from - 1) - 1
  return { at: to, text: `\n${asItem(lines, ' '.repeat(margin))}` }
}

interface NewStep {
  type: StepType
  /** An offset in the text. */
  caret: number
}

function firstStep(source: string, lines: string): Insertion {
  const head = /^steps:[^\S\n]*$/m.exec(source)
  const item = asItem(lines, '  ')
  if (head) return { at: head.index + head[0].length, text: `\n${item}` }
  const gap = source === '' || source.endsWith('\n') ? '' : '\n'
  return { at: source.length, text: `${gap}steps:\n${item}\n` }
}

function asItem(lines: string, margin: string): string {
  return `${margin}- ${indented(lines, `${margin}  `)}`
}

/** All lines but the first with this margin. */
export function indented(lines: string, margin: string): string {
  return lines.replaceAll('\n', `\n${margin}`)
}

/** The name, with a number when it is taken. */
export function freeId(name: string, ids: readonly string[], mark = '_'): string {
  if (!ids.includes(name)) return name
  let count = 2
  while (ids.includes(`${name}${mark}${count}`)) count += 1
  return `${name}${mark}${count}`
}
