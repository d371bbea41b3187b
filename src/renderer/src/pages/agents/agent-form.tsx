import { Disclosure } from '../../components/disclosure.tsx'
import { Note } from '../../components/error-note.tsx'
import { recordOf, type Draft } from './draft.ts'
import { DraftArea, DraftNumber, DraftText, textOf } from './draft-fields.tsx'
import { StepList } from './step-list.tsx'
import { issuesWithin, useEditor } from './use-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The form with all fields of an agent. */
export function AgentForm() {
  const { draft } = useEditor()
  if (!draft) {
    return (
      <Note kind="warn">
        {t('The source is not valid YAML. Fix it on the Source tab to use this form.')}
      </Note>
    )
  }
  return (
    <form
      aria-label={t('Agent')}
      className="flex flex-col gap-4"
      onSubmit={(event) => event.preventDefault()}
    >
      <DraftText
        at={[]}
        name="name"
        value={draft.fields['name']}
        label={t('Name')}
        hint={t('Requests use it as their model: agent:<name>')}
      />
      <DraftArea
        at={[]}
        name="description"
        value={draft.fields['description']}
        label={t('Description')}
      />
      <Limits draft={draft} />
      <section aria-label={t('Steps')} className="flex flex-col gap-2">
        <div>
          <h2 className="text-sm font-semibold">{t('Steps')}</h2>
          <p className="text-xs text-muted">
            {t('Steps run in parallel unless they wait for others. The last step is the answer.')}
          </p>
        </div>
        <StepList graph={draft.graph} />
      </section>
    </form>
  )
}

const limitNames = [
  {
    name: 'max_cost_usd',
    label: t('Maximum cost (US dollars)'),
    standard: '1',
    words: (value: string) => `$${value}`,
  },
  {
    name: 'max_steps',
    label: t('Maximum requests'),
    standard: '100',
    words: (value: string) => t('{requests} requests', { requests: value }),
  },
  {
    name: 'max_seconds',
    label: t('Maximum time (seconds)'),
    standard: '300',
    words: (value: string) => `${value} s`,
  },
]

function Limits({ draft }: { draft: Draft }) {
  const editor = useEditor()
  const limits = recordOf(draft.fields['limits']) ?? {}
  const remark = limitNames
    .map(({ name, standard, words }) => words(textOf(limits[name]) || standard))
    .join(', ')
  return (
    <Disclosure
      title={t('Limits per run')}
      remark={remark}
      hasError={issuesWithin(editor, ['limits']) > 0}
    >
      <div className="grid grid-cols-3 gap-3">
        {limitNames.map(({ name, label, standard }) => (
          <DraftNumber
            key={name}
            at={['limits']}
            name={name}
            value={limits[name]}
            label={label}
            placeholder={standard}
          />
        ))}
      </div>
      <p className="text-xs text-muted">
        {t('A step that could exceed a limit does not run. The answer shows the cost so far.')}
      </p>
    </Disclosure>
  )
}
