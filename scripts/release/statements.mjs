/** What a release says about its files: checksums, and how they were made. */

/**
 * @typedef {{ name: string, sha256: string }} Built
 * @typedef {{ version: string, commit: string, isChanged: boolean, date: string, lockfiles: readonly Built[], node: string }} Source
 */

/** As `sha256sum --check` reads it. @param {readonly Built[]} files */
export function checksumsOf(files) {
  return files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('')
}

/**
 * An in-toto statement with SLSA’s provenance, version 1. It is not signed: the person who publishes signs it.
 * @param {readonly Built[]} files @param {Source} source
 */
export function provenanceOf(files, { version, commit, isChanged, date, lockfiles, node }) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:modelport:release:1',
        externalParameters: { version, command: 'npm run release -- --dry' },
        internalParameters: { node, hasUncommittedChanges: isChanged },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          ...lockfiles.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
        ],
      },
      runDetails: {
        builder: { id: 'urn:modelport:built-by-the-publisher' },
        metadata: { startedOn: date },
      },
    },
  }
}

/**
 * The commands that publish, in their order. @param {{ version: string, names: readonly string[] }} release
 * @returns {string[]}
 */
export function publishingCommands({ version, names }) {
  const ending = (/** @type {RegExp} */ pattern) => names.filter((name) => pattern.test(name))
  const python = ending(/\.whl$|^modelport-[\d.]+\.tar\.gz$/).map((name) => `dist/${name}`)
  const lists = ending(/^latest.*\.yml(\.sig)?$/)
  const toFeed = ending(/\.(deb|rpm|AppImage|zip|exe)$|-(x64|arm64)\.tar\.gz$/)
  const copy = (/** @type {readonly string[]} */ files) =>
    `rsync ${files.map((name) => `dist/${name}`).join(' ')} "$FEED_HOST:$FEED_FOLDER/"`
  return [
    `git tag --sign v${version} --message "Modelport ${version}"`,
    'gpg --armor --detach-sign dist/SHA256SUMS',
    'cosign sign-blob --bundle dist/provenance.sigstore.json dist/provenance.json',
    ...ending(/\.tgz$/).map((name) => `npm publish dist/${name} --access public`),
    ...(python.length === 0 ? [] : [`python3 -m twine upload ${python.join(' ')}`]),
    // The list names the packages, so it comes last.
    ...(toFeed.length === 0 ? [] : [copy(toFeed)]),
    ...(lists.length === 0 ? [] : [copy(lists)]),
    `git push origin v${version}`,
  ]
}
