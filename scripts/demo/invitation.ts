import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { soon } from '../seed/platform'

/** The token of the invitation that was mailed to an address: of the mails that are written to files. */
export const invitationTokenOf = (dataDir: string, email: string, folder = join(dataDir, 'mail')): Promise<string> =>
  soon(`The invitation of ${email} in ${folder} (mails go there unless SMTP_URL is set)`, async () => {
    const mails = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : []
    const mine = mails.map((name) => readFileSync(join(folder, name), 'utf8')).find((mail) => isTo(mail, email))
    return mine && /\/change-password#([\w-]+)$/m.exec(mine)?.[1]
  })

const isTo = (mail: string, email: string): boolean => /^To:.*$/im.exec(mail)?.[0].includes(email) ?? false
