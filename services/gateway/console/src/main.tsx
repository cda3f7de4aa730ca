import './style/base.css'

const app = document.querySelector('#app')
if (app) app.textContent = 'Bursar'
