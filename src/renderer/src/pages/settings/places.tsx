import { CopyButton } from '../../components/copy-button.tsx'

/** Files and folders with their paths. */
export function Places({ places }: { places: readonly (readonly [string, string])[] }) {
  return (
    <dl className="grid grid-cols-[max-content_1fr] items-center gap-x-4 gap-y-1 text-sm">
      {places.map(([name, path]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="flex min-w-0 items-center gap-1">
            <code className="truncate font-mono text-xs">{path}</code>
            <CopyButton text={path} what={name.toLowerCase()} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
