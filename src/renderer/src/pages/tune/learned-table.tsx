import { formatQuality } from '../../../../shared/models/quality-words.ts'
import { domainOfTopic, topicNames, type Topic } from '../../../../shared/routers/topics.ts'
import { domainNames } from '../../../../shared/app/domains.ts'
import type { LearnedModel } from '../../../../shared/tuning/tuning-run.ts'
import { DataTable } from '../../components/data-table.tsx'
import { QualityCell } from './quality-cell.tsx'
import { domainLabels } from '../../decision/domain-labels.ts'
import { joinSentences } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** What routing expects of each model now, for all judged prompts and for each topic with enough answers. */
export function LearnedTable({ models }: { models: readonly LearnedModel[] }) {
  const rows = models.flatMap(({ model, groups }) => groups.map((group) => ({ model, ...group })))
  const hidden = Math.max(0, ...models.map(({ topicsNotLearned }) => topicsNotLearned))
  return (
    <DataTable
      label={t('What routing expects of each model')}
      columns={[
        { name: t('Model') },
        { name: t('Kind of prompt') },
        { name: t('Expected now') },
        { name: t('From ratings'), isFigure: true },
        { name: t('Graded answers'), isFigure: true },
      ]}
      rows={rows.map(({ model, topic, answers, before, now }) => ({
        key: `${model} ${topic ?? ''}`,
        cells: [
          model,
          topic === null ? t('All') : topicLabel(topic),
          <QualityCell key="now" quality={now} expected={before} />,
          formatQuality(before),
          answers,
        ],
      }))}
      note={joinSentences([
        t(
          'Includes all runs and samples that apply to this router. The ring shows the quality by ratings alone; intervals are 90 %.',
        ),
        ...hiddenText(hidden),
      ])}
    />
  )
}

function hiddenText(topics: number): string[] {
  if (topics === 0) return []
  return [
    t(
      '{count, plural, one {One kind with fewer than 10 graded answers of a model is not learned yet.} other {# kinds with fewer than 10 graded answers of a model are not learned yet.}}',
      { count: topics },
    ),
  ]
}

/** `Code: code editing` */
function topicLabel(topic: Topic): string {
  const domain = domainNames[domainOfTopic[topicNames.indexOf(topic)] ?? 0]
  const words = topic.replaceAll('_', ' ')
  return domain === undefined ? words : `${domainLabels[domain]}: ${words}`
}
