import { CopyButton } from './copy-button.tsx'

interface SnippetProps {
  /** A function for a text with a secret, which is written to the page outside React. */
  code: string | (() => string)
  /** Completes "Copy …". */
  what: string
  /** What is copied instead of the shown code, with the button's label. */
  copied?: { text: () => string | Promise<string>; label?: string } | undefined
}

/** A code block to copy. */
export function Snippet({ code, what, copied }: SnippetProps) {
  return (
    <div className="relative rounded-lg border border-line bg-sunken">
      <pre
        // Long lines scroll, and a scroll area must be reachable by keyboard.
        tabIndex={0}
        aria-label={what}
        role="region"
        className="overflow-x-auto py-3 pr-12 pl-3.5 font-mono text-xs leading-relaxed"
      >
        {typeof code === 'string' ? (
          <code>{code}</code>
        ) : (
          <code
            ref={(element) => {
              if (element) element.textContent = code()
            }}
          />
        )}
      </pre>
      <div className="absolute top-1.5 right-1.5">
        <CopyButton
          text={copied?.text ?? code}
          what={what}
          {...(copied?.label !== undefined && { label: copied.label })}
        />
      </div>
    </div>
  )
}
