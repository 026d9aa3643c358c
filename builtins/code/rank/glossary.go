package rank

// foreign says in English what the words of programming mean in the languages
// whose words have spaces between them. One form of a word stands for those
// that differ in their ending.
var foreign = map[string]map[string]string{
	"de": german,
	"es": spanish,
	"fr": french,
	"it": italian,
	"nl": dutch,
	"pt": portuguese,
	"ru": russian,
}

var german = glossary(`
config: konfiguration einstellungen konfigurationsdatei konfigurationsdateien konfigurieren
file: datei dateien
directory: verzeichnis ordner
error: fehler fehlermeldung fehlermeldungen
function: funktion funktionen
load: geladen laden lädt eingelesen einlesen
read: gelesen lesen liest
write: geschrieben schreiben schreibt
parse: analysiert zerlegt geparst parsen
start: gestartet starten startet start
stop: gestoppt beenden beendet stoppen
connection: verbindung verbindungen verbindungsaufbau
request: anfrage anfragen
response: antwort antworten
server: server
queue: warteschlange warteschlangen
task: aufgabe aufgaben
retry: wiederholung wiederholt wiederholen
time: zeit zeitpunkt
timeout: zeitüberschreitung
schedule: geplant planung planen
cache: zwischenspeicher gecacht
memory: speicher arbeitsspeicher
store: gespeichert speichern speichert
delete: gelöscht löschen löscht
create: erstellt erzeugt erstellen erzeugen anlegen
user: benutzer nutzer
password: passwort kennwort
login: anmeldung anmelden
permission: berechtigung berechtigungen
database: datenbank
table: tabelle
version: version
check: geprüft prüfen prüft prüfung
validate: validiert validierung validieren
route: route routen routing
message: nachricht nachrichten meldung
event: ereignis ereignisse
value: wert werte
list: liste
string: zeichenkette
number: zahl
size: größe
limit: grenze begrenzung
log: protokoll protokolliert
lock: sperre gesperrt
sort: sortiert sortieren sortierung
search: suche suchen gesucht
filter: filter gefiltert
test: test tests
package: paket pakete
key: schlüssel
encrypt: verschlüsselt verschlüsselung
add: hinzufügen hinzugefügt eingefügt
entry: eintrag einträge
old: alt ältesten älteste
evict: verdrängt verdrängen
open: geöffnet öffnen öffnet aufgebaut
close: geschlossen schließen schließt
fail: fehlgeschlagen fehlgeschlagene scheitert
send: gesendet senden sendet versendet verschickt
receive: empfangen empfängt
update: aktualisiert aktualisieren
change: geändert ändern
find: gefunden finden
call: aufgerufen aufrufen aufruf
return: zurückgegeben zurückgeben
convert: umgewandelt umwandeln
compare: verglichen vergleichen
count: gezählt zählen anzahl
build: gebaut bauen
compute: berechnet berechnen
worker: arbeiter
client: klient
command: befehl befehle kommando
option: option optionen
format: formatiert formatieren
print: ausgegeben ausgabe ausgeben
input: eingabe
page: seite seiten
image: bild bilder
token: token
session: sitzung
thread: faden
`)

var dutch = glossary(`
config: configuratie instellingen
file: bestand bestanden
directory: map mappen
error: fout fouten
function: functie functies
load: geladen laden
read: gelezen lezen
write: geschreven schrijven
connection: verbinding verbindingen
request: verzoek verzoeken aanvraag
response: antwoord
queue: wachtrij
task: taak taken
time: tijd
memory: geheugen
delete: verwijderd verwijderen
create: gemaakt aangemaakt maken
user: gebruiker gebruikers
password: wachtwoord
database: gegevens
check: gecontroleerd controle
message: bericht berichten
value: waarde waarden
key: sleutel
search: zoeken gezocht
add: toegevoegd toevoegen
open: geopend openen
close: gesloten sluiten
send: verzonden verzenden verstuurd
update: bijgewerkt bijwerken
find: gevonden vinden
call: aangeroepen aanroepen
start: gestart starten
stop: gestopt stoppen
store: opgeslagen opslaan
size: grootte
list: lijst
number: getal
table: tabel
class: klasse
command: opdracht
session: sessie
compute: berekend berekenen
`)

var russian = glossary(`
config: конфигурация конфигурации конфигурацию конфиг настройки настройка настроек
file: файл файла файлы файлов
directory: каталог папка директория
error: ошибка ошибки ошибок ошибку
function: функция функции функцию
load: загружается загрузка загружаются загрузки
read: читается чтение читаются
write: записывается запись
parse: разбирается разбор парсится парсинг
start: запускается запуск
stop: остановка останавливается
connection: соединение соединения подключение подключения
request: запрос запросы запросов запроса
response: ответ ответа ответы
server: сервер сервера
queue: очередь очереди
task: задача задачи задач
retry: повтор повторная повторные
time: время времени
timeout: таймаут
cache: кэш кеш
memory: память памяти
store: хранится хранение сохраняется
delete: удаляется удаление
create: создаётся создается создание
user: пользователь пользователя
password: пароль
database: база базы данных
check: проверяется проверка
validate: валидация
message: сообщение сообщения
event: событие события
value: значение
list: список
string: строка
lock: блокировка
search: поиск
key: ключ
test: тест тесты
class: класс
define: определена определён определение
add: добавляется добавить добавление
open: открывается открыть открытие
close: закрывается закрыть закрытие
fail: неудачный сбой
send: отправляется отправить отправка
receive: принимается получить получение
update: обновляется обновить обновление
change: меняется изменить изменение
find: найти находится
call: вызывается вызов вызвать
compute: вычисляется вычисление
convert: преобразуется преобразование
compare: сравнивается сравнение
build: собирается сборка
client: клиент
command: команда
size: размер
limit: ограничение предел
number: число
log: журнал
sort: сортировка сортируется
permission: права разрешение
session: сессия сеанс
table: таблица
worker: исполнитель воркер
method: метод
route: маршрут
format: форматирование
`)
