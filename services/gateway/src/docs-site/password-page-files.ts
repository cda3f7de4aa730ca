export const passwordStyle = `:root { color-scheme: light dark; --line: light-dark(#c9ced5, #454c55); --soft: light-dark(#5b6470, #9aa4b0);
  --bad: light-dark(#a8321f, #ff8f7a); --link: light-dark(#1d5fc4, #7db4ff); }
* { box-sizing: border-box }
body { max-width: 26rem; margin: 0 auto; padding: 3rem 1.25rem; font: 15px/1.5 system-ui, sans-serif;
  background: light-dark(#fff, #15181c); color: light-dark(#1b1f24, #e6e9ed) }
h1 { margin: 0 0 1rem; font-size: 1.75rem; letter-spacing: -.02em }
a { color: var(--link) }
label { display: block; margin-top: 1rem }
[hidden] { display: none }
input { display: block; width: 100%; margin-top: .25rem; padding: .5rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--line); border-radius: 4px }
button { margin-top: 1.25rem; padding: .5rem 1rem; font: inherit; color: light-dark(#fff, #15181c); background: var(--link);
  border: 0; border-radius: 4px }
button:disabled { opacity: .5 }
code { font: .92em ui-monospace, monospace; color: var(--soft) }
#rule { margin: .25rem 0 0; color: var(--soft); font-size: .9em }
#message { color: var(--bad) }
#message:empty { display: none }
`

/** The token is used only in the path of the one POST, and read when the form is sent. */
export const passwordScript = `const form = document.getElementById('form')
const message = document.getElementById('message')
const current = document.getElementById('current')
const done = document.getElementById('done')
const button = form.querySelector('button')
const [change, password, again] = form.querySelectorAll('input')
const isToken = (text) => /^[\\w-]{1,255}$/.test(text)
const token = () => location.hash.slice(1)
const say = (text) => { message.textContent = text }

const show = () => {
  done.hidden = true
  form.hidden = !isToken(token())
  say(form.hidden ? 'This link is not complete. Open the link of the mail once more, or copy all of it.' : '')
}
const refusalOf = async (answer) => {
  const { error } = await answer.json().catch(() => ({}))
  if (/currentPassword/.test(error?.message ?? '')) {
    current.hidden = false
    change.required = true
    return 'Your current password is needed too.'
  }
  if (/token is not valid/i.test(error?.message ?? '')) {
    return 'This link is no longer valid: it was used, or has expired. Request another mail.'
  }
  return error?.message ?? 'The server could not set the password (' + answer.status + '). Try again in a moment.'
}
const send = async () => {
  const root = location.pathname.replace(/[^/]+\\/?$/, '')
  const path = root + 'identity/v1/auth/' + form.dataset.action + '/' + token()
  const body = { password: password.value, ...(current.hidden ? {} : { currentPassword: change.value }) }
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body), credentials: 'omit' })
  if (!answer.ok) return say(await refusalOf(answer))
  history.replaceState(null, '', location.pathname)
  form.reset()
  form.hidden = true
  done.hidden = false
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  say('')
  if (password.value !== again.value) return say('The two passwords are not the same.')
  button.disabled = true
  try {
    await send()
  } catch {
    say('The server cannot be reached. Try again in a moment.')
  }
  button.disabled = false
})
addEventListener('hashchange', () => token() && show())
show()
`
