import { Search } from 'lucide-react'
import { inputClass } from './field.tsx'

interface SearchFieldProps {
  /** The accessible name. */
  label: string
  placeholder: string
  value: string
  onChange: (text: string) => void
}

/** A field that filters the page's list. The shortcut of Find focuses it. */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  return (
    <div className="relative min-w-44 flex-1 sm:max-w-72">
      <Search
        size={15}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={`${inputClass} pl-8`}
      />
    </div>
  )
}
