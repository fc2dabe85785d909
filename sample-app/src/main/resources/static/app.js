'use strict';

const SHOWN = 60;
const COLORS = ['#0b68cb', '#8e4ec6', '#1d7a54', '#b0540a', '#a3366b', '#5b6b7a'];

const byId = id => document.getElementById(id);
const instances = [];
const busy = new Set();
let calls = [];
let lastNumber = 0;
let failed = 0;
let total = 0;

/** Makes an element; text never becomes markup. */
function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}

async function get(path) {
  const response = await fetch(path, {cache: 'no-store'});
  return response.ok ? response.json() : null;
}

function ago(instant) {
  const seconds = Math.max(0, Math.round((Date.now() - new Date(instant)) / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** A duration as the JDK writes it, such as PT1M2.5S. */
function seconds(duration) {
  const [, minutes = 0, rest = 0] = /^PT(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(duration) ?? [];
  return `${Math.round(minutes * 60 + Number(rest))} s`;
}

function state(name) {
  const looks = {REGISTERED: 'good', LIVE: 'good', PENDING: 'busy', RETRYING: 'busy', STALE: 'busy'};
  return element('span', {className: looks[name] ?? 'bad', textContent: name});
}

function button(path, running) {
  const action = running ? 'stop' : 'start';
  return element('button', {
    textContent: action,
    onclick: async event => {
      event.target.disabled = true;
      busy.add(path);
      try {
        await fetch(`${path}/${action}`, {method: 'POST'});
      } finally {
        busy.delete(path);
      }
    },
    disabled: busy.has(path)
  });
}
function color(instance) {
  if (!instances.includes(instance)) {
    instances.push(instance);
  }
  return COLORS[instances.indexOf(instance) % COLORS.length];
}

function showCalls(latest) {
  for (const call of latest) {
    lastNumber = call.number;
    total++;
    if (call.error) {
      failed++;
      byId('failure').hidden = false;
      byId('failure').textContent = `Call ${call.number} failed: ${call.error}`;
    }
  }
  calls = calls.concat(latest).slice(-SHOWN);
  byId('calls').replaceChildren(...calls.map(call => {
    const box = element('span', {
      textContent: call.instance ? call.instance.split('-').pop() : '!',
      title: `${call.number}: ${call.instance ?? call.error}, ${call.millis} ms`
    });
    if (call.instance) {
      box.style.setProperty('--box', color(call.instance));
    }
    return box;
  }));
  byId('totals').textContent = `${total} seen, ${failed} failed`;
}

function showDemo(demo) {
  byId('demo').hidden = !demo;
  if (!demo) {
    return;
  }
  byId('registries').replaceChildren(element('th', {textContent: 'provider'}), ...demo.registries.map(registry =>
    element('th', {title: registry.url}, registry.name, ' is ',
      element('span', {className: registry.running ? 'good' : 'bad', textContent: registry.running ? 'running' : 'stopped'}),
      button(`demo/registries/${registry.name}`, registry.running))));
  byId('providers').replaceChildren(...demo.providers.map(provider => element('tr', {},
    element('td', {}, provider.id, button(`demo/providers/${provider.id}`, provider.address !== null),
      element('small', {className: 'address', textContent: provider.address ?? 'stopped'})),
    ...demo.registries.map(registry => {
      const registration = provider.registrations[registry.name];
      return registration
        ? element('td', {}, state(registration.state), ` for ${ago(registration.since)}`,
            element('small', {textContent: registration.lastError ?? `last renewed ${ago(registration.lastSuccess)} ago`}))
        : element('td', {textContent: '–'});
    }))));
}

function byInstanceId(found) {
  return [...found].sort((a, b) => a.instanceId.localeCompare(b.instanceId));
}

function showView(view) {
  byId('own').replaceChildren(...view.registrations.flatMap(port => port.registries.map(registry => element('tr', {},
    element('td', {textContent: registry.name}), element('td', {className: 'address', textContent: registry.url}),
    element('td', {}, state(registry.state)), element('td', {textContent: ago(registry.since)})))));
  const services = Object.entries(view.services);
  byId('services').replaceChildren(...services.flatMap(([name, service]) => byInstanceId(service.instances).map(instance =>
    element('tr', {}, element('td', {textContent: name}), element('td', {textContent: instance.instanceId}),
      element('td', {className: 'address', textContent: instance.uri}),
      element('td', {textContent: instance.registries.join(', ')})))));
  byId('views').replaceChildren(...services.flatMap(([name, service]) =>
    Object.entries(service.registries).flatMap(([registry, known]) =>
      [`${name} in ${registry}: `, state(known.state), known.age === null ? '' : `, read ${seconds(known.age)} ago`, element('br')])));
}

async function refresh() {
  try {
    const [latest, demo, view] = await Promise.all(
      [get(`calls?after=${lastNumber}`), get('demo'), get('actuator/registrations')]);
    showCalls(latest ?? []);
    showDemo(demo);
    if (view) {
      showView(view);
    }
    byId('offline').hidden = true;
  } catch (error) {
    byId('offline').hidden = false;
  }
  setTimeout(refresh, 1000);
}

refresh();
