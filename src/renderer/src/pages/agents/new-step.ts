import type { StepType } from './draft.ts'

interface Place {
  /** All step ids of the agent. */
  ids: readonly string[]
  /** The id of the previous step; empty for none. */
  before: string
}

/** The smallest agent that runs. */
export const smallestAgent =
  'name: my-agent\ndescription: ""\nsteps:\n  - id: answer\n    type: prompt\n    user: "{{ input }}"\n'

/** A working step of this type, as a start. */
export function newStep(type: StepType, { ids, before }: Place): Record<string, unknown> {
  const id = freeId(type, ids)
  const from = before === '' ? '{{ input }}' : `{{ steps.${before}.output }}`
  const inner = (user: string) => [{ id: freeId('part', [...ids, id]), type: 'prompt', user }]
  return { id, type, ...(before === '' ? {} : { needs: [before] }), ...fieldsOf(type, from, inner) }
}

function fieldsOf(
  type: StepType,
  from: string,
  inner: (user: string) => Record<string, unknown>[],
): Record<string, unknown> {
  switch (type) {
    case 'prompt':
      return { user: from }
    case 'text':
      return { text: from }
    case 'judge':
      return {
        candidates: 3,
        candidate: { user: from, temperature: 1 },
        judge: {
          user: `Question: ${from}\n{% for answer in candidates %}\nAnswer {{ forloop.index }}: {{ answer }}\n{% endfor %}\nWhich answer is the best?\n`,
        },
      }
    case 'agent':
      return { agent: 'another-agent', input: from }
    case 'branch':
      return { cases: [{ when: 'input contains "?"', steps: inner(from) }] }
    case 'map':
      return {
        over: 'input | split: ","',
        concurrency: 4,
        steps: inner('{{ item }}'),
      }
    case 'loop':
      return {
        max_iterations: 3,
        steps: inner(
          `Improve this text: {% if iteration == 1 %}${from}{% else %}{{ previous }}{% endif %}`,
        ),
      }
  }
}

/** The name, with a number when it is taken. */
export function freeId(name: string, ids: readonly string[]): string {
  if (!ids.includes(name)) return name
  let count = 2
  while (ids.includes(`${name}_${count}`)) count += 1
  return `${name}_${count}`
}
