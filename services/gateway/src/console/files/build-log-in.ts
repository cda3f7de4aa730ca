import { join } from 'node:path'
import { type Build, buildFiles, type Environment, environmentTag, placeholder, sources, tagsFor } from './build'
import { builtFile } from './built-file'

const script = 'src/pages/log-in/start.tsx'

/**
 * Builds the log-in page separately from the others: one script and one style, without their chunks. Null for sources
 * without such a page. Throws the build errors.
 */
export async function buildLogIn(
  folder: string = sources,
  environment: Environment = 'sandbox',
): Promise<Build | null> {
  const template = Bun.file(join(folder, 'log-in.html'))
  if (!(await template.exists())) return null
  const built = await buildFiles([join(folder, script)])
  const tags = [environmentTag(environment), ...tagsFor(built, script)].join('\n')
  const page = (await template.text()).replace(placeholder, tags).replaceAll('ENVIRONMENT', environment)
  return {
    page: builtFile(new TextEncoder().encode(page), 'text/html; charset=utf-8'),
    assets: built.assets,
  }
}
