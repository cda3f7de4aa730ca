import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { S3Client } from 'bun'
import { hashOf, type Manifest, manifestName, writePrivate } from './contents'
import { newestFirst } from './keep'

/** A place for backups in S3 or what speaks its protocol: each is a folder below the prefix. */
interface Remote {
  client: S3Client
  /** With a slash behind it, unless it is empty. */
  prefix: string
}

/**
 * The place that `s3://bucket/prefix` names. Bun reads S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY by
 * itself; here they may come from files, too. Throws for another form.
 */
export function remoteAt(url: string, env: NodeJS.ProcessEnv): Remote {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(url) ?? []
  if (!bucket) throw new Error(`"${url}" is no place for backups: write s3://bucket/prefix`)
  if (!env.S3_ACCESS_KEY_ID || !env.S3_SECRET_ACCESS_KEY)
    throw new Error(`${url} needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY`)
  const client = new S3Client({
    bucket,
    endpoint: env.S3_ENDPOINT || undefined,
    region: env.S3_REGION || undefined,
    accessKeyId: env.S3_ACCESS_KEY_ID,
    secretAccessKey: env.S3_SECRET_ACCESS_KEY,
  })
  const prefix = path.replace(/\/+$/, '')
  return { client, prefix: prefix === '' ? '' : `${prefix}/` }
}

/**
 * Copies a backup's folder, and reads each file back: it throws when one is not as it was here. The manifest comes last, so
 * that an upload which ended half-way is no backup.
 */
export async function upload({ client, prefix }: Remote, folder: string): Promise<void> {
  const names = readdirSync(folder).filter((name) => name !== manifestName)
  for (const name of [...names, manifestName]) {
    const key = `${prefix}${basename(folder)}/${name}`
    const file = Bun.file(join(folder, name))
    await client.write(key, file)
    const [here, there] = await Promise.all([hashOf(file), hashOf(client.file(key))])
    if (here !== there) throw new Error(`${key} was read back otherwise than it was written`)
  }
}

/** Copies one backup, the last part of `remote`'s prefix, into a folder that is there. Throws when none is at that place. */
export async function download({ client, prefix }: Remote, folder: string): Promise<void> {
  const keys = await keysBelow(client, prefix)
  if (!keys.includes(`${prefix}${manifestName}`)) throw new Error(`There is no backup at ${prefix}`)
  for (const key of keys) {
    const name = key.slice(prefix.length)
    // Nobody else's names lead out of the folder.
    if (!/^[\w-][\w.-]*$/.test(name)) throw new Error(`${key} is no file of a backup`)
    await writePrivate(join(folder, name), client.file(key).stream())
  }
}

/** Removes all backups but the `keep` newest (`newestFirst`). Answers the names of those that it removed, the newest first. */
export async function removeOlderRemote({ client, prefix }: Remote, keep: number, last: number): Promise<string[]> {
  const keys = await keysBelow(client, prefix)
  const folders = keys
    .filter((key) => key.endsWith(`/${manifestName}`))
    .map((key) => key.slice(prefix.length, -manifestName.length - 1))
    .filter((name) => !name.includes('/'))
  const backups = await Promise.all(
    folders.map(async (name) => {
      const { takenAt }: Manifest = await client.file(`${prefix}${name}/${manifestName}`).json()
      return { name, takenAt: Date.parse(takenAt) }
    }),
  )
  const older = backups.sort(newestFirst(last)).slice(keep)
  for (const { name } of older) {
    const own = keys.filter((key) => key.startsWith(`${prefix}${name}/`))
    // The manifest first: what is left of a removal that ended half-way is no backup.
    for (const key of own.sort((a) => (a.endsWith(`/${manifestName}`) ? -1 : 1))) await client.delete(key)
  }
  return older.map(({ name }) => name)
}

async function keysBelow(client: S3Client, prefix: string): Promise<string[]> {
  const keys: string[] = []
  let token: string | undefined
  do {
    const page = await client.list({ prefix, continuationToken: token })
    keys.push(...(page.contents ?? []).map(({ key }) => key))
    token = page.isTruncated ? page.nextContinuationToken : undefined
  } while (token)
  return keys
}
