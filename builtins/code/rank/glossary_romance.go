package rank

var french = glossary(`
config: configuration paramètres réglages configurer
file: fichier fichiers
directory: répertoire dossier
error: erreur erreurs
function: fonction fonctions
load: chargé chargée charger chargement charge
read: lu lire lecture
write: écrit écrire écriture
parse: analysé analyser analyse
start: démarré démarrer démarrage
stop: arrêté arrêter arrêt
connection: connexion connexions
request: requête requêtes demande
response: réponse réponses
server: serveur
queue: file
task: tâche tâches
retry: réessayer tentative tentatives nouvelle
time: temps heure
timeout: délai expiration
cache: cache
memory: mémoire
store: stocké stocker stockage enregistré
delete: supprimé supprimer suppression
create: créé créée créer création
user: utilisateur utilisateurs
password: passe
permission: droits autorisation
database: données
check: vérifié vérifier vérification
validate: validé valider validation
message: message messages
event: évènement événement événements
value: valeur valeurs
list: liste
string: chaîne
number: nombre
size: taille
limit: limite
log: journal journalisation
lock: verrou
sort: trié trier tri
search: recherche chercher
key: clé
add: ajouté ajouter ajout
entry: entrée entrées
old: ancien anciennes vieux
open: ouvert ouverte ouvrir ouverture
close: fermé fermer fermeture
fail: échoué échoue échec
send: envoyé envoyer envoi
receive: reçu recevoir réception
update: mettre jour
change: modifié modifier
find: trouvé trouver
call: appelé appeler appel
convert: converti convertir
compare: comparé comparer
count: compté compter nombre
build: construit construire
compute: calculé calculer calcul
client: client clients
command: commande commandes
format: formaté formater
print: affiché afficher
input: saisie
page: page pages
image: image images
session: session
login: connecter identification
class: classe
table: table tableau
encrypt: chiffré chiffrer chiffrement
filter: filtre filtrer
`)

var spanish = glossary(`
config: configuración ajustes configurar
file: archivo archivos fichero ficheros
directory: directorio carpeta
error: error errores
function: función funciones
load: carga cargan cargar cargado
read: lee leer leído lectura
write: escribe escribir escrito
parse: analiza analizar analizado
start: inicia iniciar inicio arranca
stop: detiene detener parada
connection: conexión conexiones
request: petición peticiones solicitud
response: respuesta respuestas
server: servidor
queue: cola colas
task: tarea tareas
retry: reintento reintentos reintenta
time: tiempo hora
cache: caché
memory: memoria
store: guarda guardar almacena
delete: borra borrar elimina eliminar
create: crea crear creado
user: usuario usuarios
password: contraseña
permission: permiso permisos
database: datos
check: comprueba comprobar verifica
validate: valida validar validación
message: mensaje mensajes
event: evento eventos
value: valor valores
list: lista
string: cadena
number: número
size: tamaño
limit: límite
log: registro registros
lock: bloqueo
sort: ordena ordenar
search: busca buscar búsqueda
key: clave llave
add: añade añadir agrega agregar
entry: entrada entradas
old: antiguo viejo
open: abre abrir abierta
close: cierra cerrar
fail: falla fallar fallida
send: envía enviar envío
receive: recibe recibir
update: actualiza actualizar
change: cambia cambiar
find: encuentra encontrar
call: llama llamar llamada
convert: convierte convertir
compare: compara comparar
count: cuenta contar
build: construye construir
compute: calcula calcular cálculo
client: cliente
command: comando orden
format: formatea formatear
print: imprime imprimir
page: página páginas
image: imagen
session: sesión
class: clase
table: tabla
encrypt: cifra cifrar cifrado
filter: filtro filtra filtrar
login: acceso
`)

var portuguese = glossary(`
config: configuração configurações configurar
file: arquivo arquivos ficheiro
directory: diretório pasta
error: erro erros
function: função funções
load: carregado carregada carregar carrega
read: lido ler leitura
write: escrito escrever
start: iniciado iniciar
stop: parado parar
connection: conexão conexões
request: requisição requisições pedido
response: resposta respostas
server: servidor
queue: fila
task: tarefa tarefas
retry: tentativa tentativas
time: tempo
memory: memória
delete: apagado excluir remover
create: criado criar criação
user: usuário usuários
password: senha
database: dados
check: verificado verificar
validate: validado validar validação
message: mensagem
event: evento eventos
value: valor valores
key: chave
search: busca buscar
add: adicionado adicionar adiciona
entry: entrada entradas
open: aberta abrir aberto
close: fechado fechar
fail: falha falhar
send: enviado enviar envia
receive: recebido receber
update: atualizado atualizar
change: alterado alterar
find: encontrado encontrar
call: chamado chamar chamada
parse: analisado analisar
store: armazenado armazenar guardar
size: tamanho
limit: limite
list: lista
string: texto
number: número
permission: permissão
log: registro
lock: bloqueio
sort: ordenar ordenado
class: classe
table: tabela
client: cliente
command: comando
page: página
image: imagem
session: sessão
compute: calculado calcular
cache: cache
`)

var italian = glossary(`
config: configurazione impostazioni
file: file
directory: cartella
error: errore errori
function: funzione funzioni
load: caricato caricata caricare carica
read: letto leggere
write: scritto scrivere
connection: connessione connessioni
request: richiesta richieste
response: risposta risposte
server: server
queue: coda
task: attività compito
time: tempo
memory: memoria
delete: eliminato eliminare cancellare
create: creato creare
user: utente utenti
database: dati
check: verificato verificare controllo
validate: validato validare
message: messaggio messaggi
event: evento eventi
value: valore valori
key: chiave
search: ricerca cercare
add: aggiunto aggiungere
open: aperto aperta aprire
close: chiuso chiudere
fail: fallito fallire
send: inviato inviare
update: aggiornato aggiornare
find: trovato trovare
call: chiamato chiamare
start: avviato avviare
stop: fermato fermare
parse: analizzato analizzare
store: salvato salvare
size: dimensione
limit: limite
list: elenco
number: numero
string: stringa
table: tabella
class: classe
client: client
command: comando
session: sessione
compute: calcolato calcolare
`)
