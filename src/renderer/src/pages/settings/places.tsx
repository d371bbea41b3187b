import { CopyButton } from '../../components/copy-button.tsx'

interface Place {
  name: string
  /** The name within a sentence. */
  what: string
  path: string
}

/** Files and folders with their paths. */
export function Places({ places }: { places: readonly Place[] }) {
  return (
    <dl className="grid grid-cols-[max-content_1fr] items-center gap-x-4 gap-y-1 text-sm">
      {places.map(({ name, what, path }) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="flex min-w-0 items-center gap-1">
            <code className="truncate font-mono text-xs">{path}</code>
            <CopyButton text={path} what={what} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
