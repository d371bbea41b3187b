/** Agents of the fake service. */
import type { Execution, StepTrace } from '../../src/shared/agents/agent.ts'
import type { RequestRecord } from '../../src/shared/entities.ts'
import { pretendedExecution } from './fake-agents.ts'
import type { Scene } from './scene.ts'

export const newsletter = `# Sends one article to three readers.
name: newsletter
description: Reads an article, writes for each kind of reader, and has the best headline chosen.
limits:
  max_cost_usd: 0.25
steps:
  - id: facts
    type: prompt
    system: You list facts, one a line, and nothing else.
    user: |
      List the facts of this article:
      {{ input }}
  - id: length
    type: branch
    needs: [facts]
    cases:
      - when: input.size > 4000
        steps:
          - id: shorten
            type: prompt
            user: "Keep the ten most important: {{ steps.facts.output }}"
    else:
      - id: keep
        type: prompt
        user: "Put these in order: {{ steps.facts.output }}"
  - id: readers
    type: map
    needs: [length]
    over: '"experts,beginners,children" | split: ","'
    concurrency: 3
    steps:
      - id: text
        type: prompt
        user: "Write for {{ item }}: {{ steps.length.output }}"
  - id: headline # three drafts are enough
    type: judge
    needs: [facts]
    candidates: 3
    candidate:
      user: "A headline for: {{ steps.facts.output }}"
      temperature: 1
    judge:
      user: "Which is the best? {{ candidates | join: ' / ' }}"
  - id: letter
    type: prompt
    needs: [headline, readers]
    user: |
      # {{ steps.headline.output }}
      {{ steps.readers.output }}
`

export function fillAgents(scene: Scene, nowMs: number): void {
  const routerId = scene.routers[1]?.id ?? ''
  const older = newsletter
    .replace('candidates: 3', 'candidates: 2')
    .replace(' # three drafts are enough', '')
  scene.agents = [
    {
      name: 'newsletter',
      version: 2,
      source: newsletter,
      versions: [
        { version: 2, source: newsletter, createdAtMs: nowMs - 86_400_000 },
        { version: 1, source: older, createdAtMs: nowMs - 9 * 86_400_000 },
      ],
    },
    agentOf('translate', nowMs),
  ]
  scene.executions = Array.from({ length: 24 }, (_, index) =>
    pretendedRun(index, { routerId, nowMs }),
  )
  const newest = scene.executions[0]
  if (newest) scene.steps[newest.id] = requestsOf(newest, scene)
}

function agentOf(name: string, createdAtMs: number) {
  const source = `name: ${name}\ndescription: One step.\nsteps:\n  - id: answer\n    type: prompt\n    user: "{{ input }}"\n`
  return { name, version: 1, source, versions: [{ version: 1, source, createdAtMs }] }
}

function pretendedRun(
  index: number,
  { routerId, nowMs }: { routerId: string; nowMs: number },
): Execution {
  const wave = (Math.sin(index * 1.3) + 1) / 2
  const isFailed = index % 9 === 4
  return pretendedExecution('newsletter', {
    routerId,
    startedAtMs: nowMs - index * 5_400_000 - 240_000,
    agentVersion: 2,
    steps: isFailed ? 3 : 8,
    latencyMs: Math.round(2_600 + wave * 2_900),
    costNanoUsd: Math.round(900_000 + wave * 2_000_000),
    carbonGrams: 0.2 + wave * 0.3,
    ...(isFailed
      ? { state: 'failed', status: 503, errorCode: 'all_models_unavailable', failedStep: 'text' }
      : {}),
    trace,
  })
}

const trace: StepTrace[] = [
  span('facts', 'prompt', [0, 700]),
  span('keep', 'prompt', [705, 480]),
  span('length', 'branch', [702, 490]),
  span('headline', 'judge', [702, 1_650]),
  span('text', 'prompt', [1_200, 900]),
  span('text', 'prompt', [1_200, 1_100]),
  span('text', 'prompt', [1_200, 760]),
  span('readers', 'map', [1_195, 1_110]),
  span('letter', 'prompt', [2_360, 900]),
]

function span(
  stepId: string,
  type: StepTrace['type'],
  [startedMs, tookMs]: [number, number],
): StepTrace {
  return { stepId, type, outcome: 'done', startedMs, tookMs }
}

function requestsOf(execution: Execution, scene: Scene): RequestRecord[] {
  const [like] = scene.requests
  if (!like) return []
  const asked = trace.filter(({ type }) => type === 'prompt')
  const candidates = [0, 20, 40].map((later) =>
    span('headline', 'judge', [702 + later, 800 + later * 5]),
  )
  const verdict = span('headline', 'judge', [1_750, 600])
  return [...asked, ...candidates, verdict].map(({ stepId, startedMs, tookMs }, index) => ({
    ...like,
    id: `step-${index}`,
    startedAtMs: execution.startedAtMs + startedMs,
    latencyMs: tookMs,
    modelUsed: index % 3 === 1 ? 'local:SmolLM2-135M-Instruct' : 'openai:gpt-5-mini',
    executionId: execution.id,
    stepId,
  }))
}
