import { formatQuality } from '../../../../shared/models/quality-words.ts'
import { domainNames } from '../../../../shared/app/domains.ts'
import type { GradedGroup, TuningModelResult } from '../../../../shared/tuning/tuning-run.ts'
import { DataTable } from '../../components/data-table.tsx'
import { domainLabels } from '../../decision/domain-labels.ts'
import { gradeLabels, rangeText } from './run-words.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface Group {
  name: string
  /** Figures of a model; absent without a prompt. */
  groupOf: (model: TuningModelResult) => GradedGroup | undefined
}

/** Each model's quality by domain. */
export function DomainTable({ models }: { models: readonly TuningModelResult[] }) {
  const groups = domainNames.map((domain) => ({
    name: domainLabels[domain],
    groupOf: (model: TuningModelResult) => model.domains.find((one) => one.domain === domain),
  }))
  return <GroupTable label={t('Quality by kind of prompt')} models={models} groups={groups} />
}

/** Each model's quality by difficulty. */
export function GradeTable({ models }: { models: readonly TuningModelResult[] }) {
  const groups = ([1, 2, 3, 4] as const).map((grade) => ({
    name: gradeLabels[grade],
    groupOf: (model: TuningModelResult) => model.grades.find((one) => one.grade === grade),
  }))
  return <GroupTable label={t('Quality by difficulty')} models={models} groups={groups} />
}

interface GroupTableProps {
  label: string
  models: readonly TuningModelResult[]
  groups: readonly Group[]
}

function GroupTable({ label, models, groups }: GroupTableProps) {
  const used = groups.filter((group) => models.some((model) => promptsIn(group, model) > 0))
  // The table would repeat the one above it.
  if (used.length < 2) {
    return (
      <p className="text-sm text-muted">
        {t('All prompts: {group}.', { group: used[0]?.name ?? t('none graded') })}
      </p>
    )
  }
  const prompts = used.map((group) => Math.max(...models.map((model) => promptsIn(group, model))))
  return (
    <DataTable
      label={label}
      columns={[{ name: t('Model') }, ...used.map(({ name }) => ({ name, isFigure: true }))]}
      rows={[
        ...models.map((model) => ({
          key: model.model,
          cells: [
            model.model,
            ...used.map((group) => <GroupCell key={group.name} group={group.groupOf(model)} />),
          ],
        })),
        { key: 'prompts', cells: [t('Prompts'), ...prompts] },
      ]}
      note={t('Below each mean: its 90 % interval.')}
    />
  )
}

function promptsIn(group: Group, model: TuningModelResult): number {
  return group.groupOf(model)?.prompts ?? 0
}

function GroupCell({ group }: { group: GradedGroup | undefined }) {
  if (!group?.quality) return '—'
  return (
    <span className="flex flex-col">
      {formatQuality(group.quality.mean)}
      <span className="text-muted">{rangeText(group)}</span>
    </span>
  )
}
