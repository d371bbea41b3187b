import { CopyButton } from './copy-button.tsx'

/** A code block to copy. `what` completes "Copy …". */
export function Snippet({ code, what }: { code: string; what: string }) {
  return (
    <div className="relative rounded-lg border border-line bg-sunken">
      <pre
        // Long lines scroll, and a scroll area must be reachable by keyboard.
        tabIndex={0}
        aria-label={what}
        role="region"
        className="overflow-x-auto py-3 pr-12 pl-3.5 font-mono text-xs leading-relaxed"
      >
        <code>{code}</code>
      </pre>
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={code} what={what} />
      </div>
    </div>
  )
}
