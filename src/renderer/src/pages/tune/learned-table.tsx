import { domainOfTopic, topicNames, type Topic } from '../../../../shared/topics.ts'
import { domainNames } from '../../../../shared/domains.ts'
import type { LearnedModel } from '../../../../shared/tuning-run.ts'
import { DataTable } from '../../components/data-table.tsx'
import { QualityCell } from './quality-cell.tsx'
import { domainLabels } from './run-words.ts'

/** What routing expects of each model now, for all judged prompts and for each topic with enough answers. */
export function LearnedTable({ models }: { models: readonly LearnedModel[] }) {
  const rows = models.flatMap(({ model, groups }) => groups.map((group) => ({ model, ...group })))
  const hidden = Math.max(0, ...models.map(({ topicsNotLearned }) => topicsNotLearned))
  return (
    <DataTable
      label="What routing expects of each model"
      columns={[
        { name: 'Model' },
        { name: 'Kind of prompt' },
        { name: 'Expected now' },
        { name: 'From ratings', isFigure: true },
        { name: 'Graded answers', isFigure: true },
      ]}
      rows={rows.map(({ model, topic, answers, before, now }) => ({
        key: `${model} ${topic ?? ''}`,
        cells: [
          model,
          topic === null ? 'All' : topicLabel(topic),
          <QualityCell key="now" quality={now} expected={before} />,
          before.toFixed(2),
          answers,
        ],
      }))}
      note={`Includes all runs and samples. The ring shows the quality by ratings alone; intervals are 90 %.${hiddenText(hidden)}`}
    />
  )
}

function hiddenText(topics: number): string {
  if (topics === 0) return ''
  const kinds = topics === 1 ? 'One kind' : `${topics} kinds`
  return ` ${kinds} with fewer than 10 graded answers of a model ${topics === 1 ? 'is' : 'are'} not learned yet.`
}

/** `Code: code editing` */
function topicLabel(topic: Topic): string {
  const domain = domainNames[domainOfTopic[topicNames.indexOf(topic)] ?? 0]
  const words = topic.replaceAll('_', ' ')
  return domain === undefined ? words : `${domainLabels[domain]}: ${words}`
}
