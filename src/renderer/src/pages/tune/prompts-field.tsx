import { FileText, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import { formatBytes } from '../../../../shared/strings/format.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { Snippet } from '../../components/snippet.tsx'
import { changeDraft, type TuningDraft } from '../../stores/tuning-draft.ts'
import { t } from '../../../../shared/strings/strings.ts'

const sources = [
  { value: 'starter', label: t('Starter set'), hint: t('Comes with Modelport, graded by checks') },
  { value: 'file', label: t('File'), hint: t('Your own prompts, with or without checks') },
  {
    value: 'requests',
    label: t('Stored requests'),
    hint: t('Prompts that content logging stored for this router'),
  },
  {
    value: 'conversations',
    label: t('My conversations'),
    hint: t('Your questions to this router in the chat'),
  },
] as const

interface PromptsFieldProps {
  draft: TuningDraft
  router: Router
  error: string | null
}

/** Chooses the source of the prompts. */
export function PromptsField({ draft, router, error }: PromptsFieldProps) {
  const { from } = draft
  return (
    <div className="flex flex-col gap-3">
      <RadioCards
        label={t('Prompts')}
        choices={sources}
        value={from}
        onChange={(chosen) => changeDraft({ from: chosen })}
        isWide
      />
      {from === 'file' && <FileField file={draft.file} />}
      {(from === 'requests' || from === 'conversations') && (
        <Consent draft={draft} router={router} />
      )}
      {error !== null && (
        <p role="alert" className="text-xs whitespace-pre-line text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

function Consent({ draft, router }: { draft: TuningDraft; router: Router }) {
  const { name } = router
  return (
    <Checkbox
      label={
        draft.from === 'requests'
          ? t('Send my stored requests of {name} to all its models and the judge', { name })
          : t('Send my conversations with {name} to all its models and the judge', { name })
      }
      hint={t(
        'Modelport reads them on this computer. The providers of these models receive the sampled prompts. Your own copies stay as they are.',
      )}
      checked={draft.hasConsent}
      onChange={(hasConsent) => changeDraft({ routerId: router.id, hasConsent })}
    />
  )
}

function FileField({ file }: Pick<TuningDraft, 'file'>) {
  const field = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  async function read(chosen: File | undefined): Promise<void> {
    if (!chosen) return
    setProblem(null)
    try {
      changeDraft({ file: { name: chosen.name, text: await chosen.text() }, cap: null })
    } catch {
      setProblem(t('{name} cannot be read. Choose it again.', { name: chosen.name }))
    }
    // Without this, choosing the same file again after editing it would do nothing.
    if (field.current) field.current.value = ''
  }
  return (
    <div className="flex flex-col gap-3">
      <input
        ref={field}
        type="file"
        accept=".jsonl,.ndjson,.json,.txt,.md"
        aria-label={t('Prompt file')}
        className="hidden"
        onChange={({ target }) => void read(target.files?.[0])}
      />
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <Button onClick={() => field.current?.click()}>
          <Upload size={14} aria-hidden />{' '}
          {file === null ? t('Choose file') : t('Choose another file')}
        </Button>
        {file && (
          <span className="flex min-w-0 items-center gap-1.5">
            <FileText size={14} aria-hidden className="shrink-0 text-muted" />
            <span className="truncate">{file.name}</span>
            <span className="shrink-0 text-xs text-muted">{formatBytes(file.text.length)}</span>
          </span>
        )}
      </div>
      {problem !== null && (
        <p role="alert" className="text-xs text-bad">
          {problem}
        </p>
      )}
      <FileFormat />
    </div>
  )
}

const example = [
  '{ "prompt": "What is 17 · 3? Answer with the number.", "check": { "type": "number", "expected": 51 } }',
  '{ "prompt": "Explain the tides to a child.", "reference": "The Moon pulls …" }',
].join('\n')

function FileFormat() {
  return (
    <Disclosure
      title={t('File format')}
      remark={t('one prompt a line, as text or JSON')}
      hasError={false}
    >
      <div className="flex flex-col gap-2 text-sm text-muted">
        <p>
          {t(
            'Plain text has one prompt a line. JSON Lines can add a check, which grades the answer, or a reference, a right answer for the judge. Prompts with neither need a judge too.',
          )}
        </p>
        <Snippet code={example} what={t('example file')} />
        <p>{t('Checks: number, choice, exact, facts, json_schema and tests.')}</p>
      </div>
    </Disclosure>
  )
}
