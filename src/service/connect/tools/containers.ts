/** What programs in containers and in WSL need: another host name, and the certificate's file. */
import { shellWord } from '../shell.ts'
import { openaiUrl, type Connection, type Tool } from '../tool.ts'

/** The name of the host in Docker's containers. */
export const hostName = 'host.docker.internal'

export const containerNotes: readonly string[] = [
  `Allow the host name first: modelport settings set allowedHosts '["${hostName}"]'. It makes a new certificate authority, so tools that trusted the old one must trust the new one.`,
  'Modelport listens on this computer only. Docker Desktop forwards host.docker.internal there. On Linux, use --network host and localhost instead.',
]

/** Options of `docker run`: the host's name, and the certificate's file with its variable. */
export function dockerOptions(
  { platform }: Pick<Connection, 'platform'>,
  variable: string,
  file: string,
): string {
  const network = platform === 'linux' ? '--network host' : `--add-host=${hostName}:host-gateway`
  return `  ${network} \\
  -v ${shellWord(file)}:/modelport-ca.pem:ro -e ${variable}=/modelport-ca.pem \\`
}

export const containers: Tool = {
  id: 'containers',
  name: 'Containers and WSL',
  kind: 'app',
  door: 'chat',
  userAgent: null,
  verified: 'unverified',
  documentation: 'https://docs.docker.com/desktop/features/networking/',
  snippets: (connection) => [
    {
      title: 'Allow the name that containers use (macOS and Windows)',
      language: 'sh',
      text: `modelport settings set allowedHosts '["${hostName}"]'\n`,
    },
    {
      title: 'Try it with Docker Desktop (macOS and Windows)',
      language: 'sh',
      text: dockerCurl(connection, hostName, `--add-host=${hostName}:host-gateway`),
    },
    {
      title: 'Try it with Docker on Linux',
      language: 'sh',
      text: dockerCurl(connection, 'localhost', '--network host'),
    },
    {
      title: 'WSL 2: share the localhost of Windows, in %UserProfile%\\.wslconfig',
      language: 'text',
      text: '[wsl2]\nnetworkingMode=mirrored\n',
    },
  ],
  notes: [
    ...containerNotes,
    'In WSL with mirrored networking, use localhost as on Windows, and copy ca.pem into the distribution.',
  ],
}

function dockerCurl(connection: Connection, host: string, network: string): string {
  const url = openaiUrl(connection).replace('//localhost', `//${host}`)
  return `docker run --rm ${network} \\
  -v ${shellWord(connection.caFile)}:/modelport-ca.pem:ro curlimages/curl \\
  --cacert /modelport-ca.pem ${url}/models \\
  -H "Authorization: Bearer ${connection.key}"
`
}
