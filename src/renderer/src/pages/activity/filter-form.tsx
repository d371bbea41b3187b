import { useEffect, useRef, type FormEvent } from 'react'
import { useEscape } from './use-escape.ts'
import { Button } from '../../components/button.tsx'
import type { Search } from '../../usage/search.ts'
import { changeOf, filterTitles, type FilterName } from './filter-words.ts'
import { timeFieldsOf, timeOf } from './time-fields.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface FilterFormProps {
  name: FilterName
  search: Search
  onApply: (change: Search) => void
  onCancel: () => void
}

const fieldClass =
  'h-7 min-w-0 rounded-md border border-edge bg-surface px-2 text-xs text-ink placeholder:text-muted'

/** A text or two dates for a part of the filter. Enter applies it, Escape cancels. */
export function FilterForm({ name, search, onApply, onCancel }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const times = timeFieldsOf(search)
  useEscape(form, onCancel)
  useEffect(() => {
    // After the menu, which gives the focus back to its button when it closes.
    const timer = setTimeout(() => form.current?.querySelector('input')?.focus(), 0)
    return () => clearTimeout(timer)
  }, [])
  function apply(event: FormEvent): void {
    event.preventDefault()
    const fields = new FormData(form.current ?? undefined)
    const textOf = (field: string) => {
      const text = fields.get(field)
      return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined
    }
    if (name !== 'time') return onApply(changeOf(name, textOf('text')))
    const [fromMs, toMs] = [timeOf(textOf('from')), timeOf(textOf('to'))]
    if (fromMs !== undefined && toMs !== undefined && Number(fromMs) >= Number(toMs)) {
      const end = form.current?.querySelector<HTMLInputElement>('[name=to]')
      end?.setCustomValidity(t('The end must be after the beginning.'))
      return void end?.reportValidity()
    }
    onApply({ fromMs, toMs })
  }
  return (
    <form
      ref={form}
      aria-label={t('Filter by: {filter}', { filter: filterTitles[name] })}
      className="flex flex-wrap items-center gap-1.5"
      onSubmit={apply}
      onInput={() =>
        form.current?.querySelectorAll('input').forEach((field) => field.setCustomValidity(''))
      }
    >
      {name === 'time' ? (
        <>
          <DateField label={t('From')} name="from" text={times.from} />
          <DateField label={t('To')} name="to" text={times.to} />
        </>
      ) : (
        <input
          name="text"
          aria-label={filterTitles[name]}
          placeholder={name === 'client' ? t('Part of the client’s name') : filterTitles[name]}
          defaultValue={search[name]}
          className={`${fieldClass} w-48`}
        />
      )}
      <Button type="submit" size="small" look="primary">
        {t('Apply')}
      </Button>
      <Button size="small" look="quiet" onClick={onCancel}>
        {t('Cancel')}
      </Button>
    </form>
  )
}

function DateField({ label, name, text }: { label: string; name: string; text: string }) {
  return (
    <label className="flex items-center gap-1 text-xs text-muted">
      {label}
      <input type="datetime-local" name={name} defaultValue={text} className={fieldClass} />
    </label>
  )
}
