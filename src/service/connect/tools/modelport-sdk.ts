import packageFile from '../../../../package.json' with { type: 'json' }
import type { Snippet } from '../../../shared/app/connect.ts'
import { environmentSnippet } from '../shell.ts'
import type { Connection, Tool } from '../tool.ts'

const documentation = 'https://github.com/modelport/modelport/tree/main/sdk'

/** Placeholder for the user's checkout in the commands that install. */
export const checkout = '/path/to/modelport'

export const installTitle = 'Install it from your checkout of Modelport, until it is published'

export const modelportJavaScript: Tool = {
  id: 'modelport-js',
  name: '@modelport/sdk',
  kind: 'library',
  door: 'chat',
  userAgent: /^Modelport\/JS /,
  verified: 'run',
  documentation,
  snippets: (connection) => [
    installation(
      // Of the folder, npm would make a link, beside which `openai` is missing.
      `npm pack ${checkout}/sdk\nnpm install ./modelport-sdk-${packageFile.version}.tgz`,
      connection,
    ),
    environment(connection),
    {
      title: 'Call the router',
      language: 'javascript',
      text: `import { Modelport } from '@modelport/sdk'

// The key and the router come from the environment; the certificate is found.
const modelport = new Modelport()

const completion = await modelport.chat.completions.create({
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(completion.choices[0].message.content, completion._meta)
`,
    },
  ],
}

export const modelportPython: Tool = {
  id: 'modelport-python',
  name: 'modelport for Python',
  kind: 'library',
  door: 'chat',
  userAgent: /^(Async)?Modelport\/Python /,
  verified: 'run',
  documentation: `${documentation}-python`,
  snippets: (connection) => [
    installation(`pip install ${checkout}/sdk-python`, connection),
    environment(connection),
    {
      title: 'Call the router',
      language: 'python',
      text: `from modelport import Modelport

# The key and the router come from the environment; the certificate is found.
modelport = Modelport()

completion = modelport.chat.completions.create(
    messages=[{"role": "user", "content": "Hello"}],
)
print(completion.choices[0].message.content)
`,
    },
  ],
}

function installation(text: string, { platform }: Connection): Snippet {
  return { title: installTitle, language: platform === 'win32' ? 'powershell' : 'sh', text }
}

/** Variables of the SDK. The address is set only where it is not the usual one. */
function environment(connection: Connection) {
  const { origin, pathname } = new URL(connection.routerUrl)
  const variables = {
    MODELPORT_API_KEY: connection.key,
    MODELPORT_ROUTER_ID: pathname.split('/').at(-1) ?? '',
    ...(origin === 'https://localhost:6778' ? {} : { MODELPORT_BASE_URL: origin }),
  }
  return environmentSnippet('Set the environment', variables, connection)
}
